; For the captures see src/chunker/references.ts and imports.ts.

(call_expression function: (identifier) @call)
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @call))
(call_expression function: (scoped_identifier path: (_) @receiver name: (identifier) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression
  function: (generic_function
    function: (scoped_identifier path: (_) @receiver name: (identifier) @call)))
(call_expression
  function: (generic_function
    function: (field_expression value: (_) @receiver field: (field_identifier) @call)))

(macro_invocation macro: (identifier) @macro)
(macro_invocation macro: (scoped_identifier path: (_) @receiver name: (identifier) @macro))
; A macro's arguments are not parsed: a name before parentheses looks like a call there.
(token_tree (identifier) @token . (token_tree))

(type_identifier) @type
(scoped_type_identifier path: (_) @receiver name: (type_identifier) @type)
(struct_item name: (type_identifier) @definition)
(enum_item name: (type_identifier) @definition)
(union_item name: (type_identifier) @definition)
(type_item name: (type_identifier) @definition)
(trait_item name: (type_identifier) @definition)
(associated_type name: (type_identifier) @definition)
(type_parameter name: (type_identifier) @parameter)

(impl_item trait: (type_identifier) @inherit)
(impl_item trait: (generic_type type: (type_identifier) @inherit))
(impl_item trait: (scoped_type_identifier path: (_) @receiver name: (type_identifier) @inherit))
(trait_item bounds: (trait_bounds (type_identifier) @inherit))
(trait_item bounds: (trait_bounds (generic_type type: (type_identifier) @inherit)))
(trait_item
  bounds: (trait_bounds (scoped_type_identifier path: (_) @receiver name: (type_identifier) @inherit)))

(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import
