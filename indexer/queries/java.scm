; For the captures see src/chunker/references.ts and imports.ts.

(method_invocation !object name: (identifier) @call)
(method_invocation object: (_) @receiver name: (identifier) @call)
(method_reference . (_) @receiver (identifier) @call .)
(object_creation_expression type: (type_identifier) @call)
(object_creation_expression type: (generic_type (type_identifier) @call))
(object_creation_expression
  type: (scoped_type_identifier (_) @receiver . (type_identifier) @call))

(type_identifier) @type
(scoped_type_identifier (_) @receiver . (type_identifier) @type)
(type_parameter (type_identifier) @parameter)
(marker_annotation name: (identifier) @type)
(annotation name: (identifier) @type)

(superclass (type_identifier) @inherit)
(superclass (generic_type (type_identifier) @inherit))
(super_interfaces (type_list (type_identifier) @inherit))
(super_interfaces (type_list (generic_type (type_identifier) @inherit)))
(extends_interfaces (type_list (type_identifier) @inherit))
(extends_interfaces (type_list (generic_type (type_identifier) @inherit)))

(import_declaration) @import
