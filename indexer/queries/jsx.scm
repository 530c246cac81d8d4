; A component is called; an element of HTML has a small letter.

((jsx_opening_element name: (identifier) @call) (#match? @call "^[^a-z]"))
(jsx_opening_element
  name: (member_expression object: (_) @receiver property: (property_identifier) @call))
((jsx_self_closing_element name: (identifier) @call) (#match? @call "^[^a-z]"))
(jsx_self_closing_element
  name: (member_expression object: (_) @receiver property: (property_identifier) @call))
