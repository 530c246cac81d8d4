; For the captures see src/chunker/references.ts and imports.ts.

(call_expression function: (identifier) @call)
(call_expression
  function: (selector_expression operand: (_) @receiver field: (field_identifier) @call))
; `Map[int](xs)`, which the grammar takes for a conversion.
(type_conversion_expression type: (generic_type type: (type_identifier) @call))
(type_conversion_expression
  type: (generic_type
    type: (qualified_type package: (package_identifier) @receiver name: (type_identifier) @call)))

(type_identifier) @type
(qualified_type package: (package_identifier) @receiver name: (type_identifier) @type)
(type_spec name: (type_identifier) @definition)
(type_alias name: (type_identifier) @definition)
(type_parameter_declaration name: (identifier) @parameter)

; What is embedded lends its methods.
(field_declaration !name type: (type_identifier) @inherit)
(field_declaration !name type: (generic_type type: (type_identifier) @inherit))
(field_declaration
  !name type: (qualified_type package: (package_identifier) @receiver name: (type_identifier) @inherit))
(interface_type (type_elem . (type_identifier) @inherit .))
(interface_type
  (type_elem
    . (qualified_type package: (package_identifier) @receiver name: (type_identifier) @inherit) .))

(import_spec) @import
