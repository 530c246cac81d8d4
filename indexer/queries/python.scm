; For the captures see src/chunker/references.ts and imports.ts.

(call function: (identifier) @call)
(call function: (attribute object: (_) @receiver attribute: (identifier) @call))
(decorator (identifier) @call)
(decorator (attribute object: (_) @receiver attribute: (identifier) @call))

(class_definition superclasses: (argument_list (identifier) @inherit))
(class_definition
  superclasses: (argument_list (attribute object: (_) @receiver attribute: (identifier) @inherit)))
(class_definition superclasses: (argument_list (subscript value: (identifier) @inherit)))

(type (identifier) @type)
(type (attribute object: (_) @receiver attribute: (identifier) @type))
(type (generic_type (identifier) @type))
(type (subscript value: (identifier) @type))
; `A | B | C` nests to the left.
(type (binary_operator (identifier) @type))
(type (binary_operator (binary_operator (identifier) @type)))
(type (binary_operator (attribute object: (_) @receiver attribute: (identifier) @type)))

(import_statement) @import
(import_from_statement) @import
