/** A few numbers that matter most, large, each with what it counts below it. */
export interface FiguresProps {
  readonly figures: readonly (readonly [name: string, value: string])[];
}

export function Figures({ figures }: FiguresProps) {
  return (
    <ul class="figures">
      {figures.map(([name, value]) => (
        <li key={name}>
          <b>{value}</b> <span>{name}</span>
        </li>
      ))}
    </ul>
  );
}
