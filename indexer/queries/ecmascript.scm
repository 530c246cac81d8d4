; What TypeScript, TSX and JavaScript have in common. For the captures see src/chunker/references.ts and imports.ts.

(call_expression function: (identifier) @call)
(call_expression
  function: (member_expression
    object: (_) @receiver
    property: [(property_identifier) (private_property_identifier)] @call))

(new_expression constructor: (identifier) @call)
(new_expression
  constructor: (member_expression object: (_) @receiver property: (property_identifier) @call))

(decorator (identifier) @call)
(decorator (member_expression object: (_) @receiver property: (property_identifier) @call))

(import_statement) @import
(export_statement) @import
(call_expression function: (import)) @import
((call_expression function: (identifier) @_function) @import (#eq? @_function "require"))
; CommonJS: `module.exports = …` among them.
(program (expression_statement (assignment_expression) @import))
