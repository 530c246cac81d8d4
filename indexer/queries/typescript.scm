; Types. Where several patterns meet at one name, the one that says most counts: see references.ts.

(type_identifier) @type
(nested_type_identifier module: (_) @receiver name: (type_identifier) @type)

(class_declaration name: (type_identifier) @definition)
(abstract_class_declaration name: (type_identifier) @definition)
(class name: (type_identifier) @definition)
(interface_declaration name: (type_identifier) @definition)
(type_alias_declaration name: (type_identifier) @definition)
(type_parameter name: (type_identifier) @parameter)

(extends_clause value: (identifier) @inherit)
(extends_clause
  value: (member_expression object: (_) @receiver property: (property_identifier) @inherit))
(implements_clause (type_identifier) @inherit)
(implements_clause (generic_type name: (type_identifier) @inherit))
(implements_clause (nested_type_identifier module: (_) @receiver name: (type_identifier) @inherit))
(implements_clause
  (generic_type
    name: (nested_type_identifier module: (_) @receiver name: (type_identifier) @inherit)))
(extends_type_clause type: (type_identifier) @inherit)
(extends_type_clause type: (generic_type name: (type_identifier) @inherit))
(extends_type_clause
  type: (nested_type_identifier module: (_) @receiver name: (type_identifier) @inherit))
(extends_type_clause
  type: (generic_type
    name: (nested_type_identifier module: (_) @receiver name: (type_identifier) @inherit)))
