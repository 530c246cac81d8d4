; What TypeScript's grammar writes another way.

(class_heritage (identifier) @inherit)
(class_heritage (member_expression object: (_) @receiver property: (property_identifier) @inherit))
