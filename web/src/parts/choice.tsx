/** One of a few, in a drop-down with its label in front. */

export interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly values: readonly { readonly value: Value; readonly text: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
  readonly title?: string;
}

export function Choice<Value extends string>({ label, values, chosen, onChoose, title }: ChoiceProps<Value>) {
  return (
    <label class="choice" {...(title && { title })}>
      <span>{label}</span>
      <select
        value={chosen}
        onChange={({ currentTarget }) => {
          const found = values.find(({ value }) => value === currentTarget.value);
          if (found) onChoose(found.value);
        }}
      >
        {values.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export const asChoices = <Value extends string>(values: readonly Value[]) =>
  values.map((value) => ({ value, text: value }));
