/** A table of numbers: what each row is about, then what there is to say of it. */

export interface NumbersProps {
  readonly caption?: string;
  /** The first is that of the rows' names. */
  readonly heads: readonly string[];
  readonly rows: readonly NumbersRow[];
}

export interface NumbersRow {
  readonly name: string;
  readonly cells: readonly string[];
  /** Of the longest, 0 to 1: drawn as a bar under the name. */
  readonly share?: number;
}

export function Numbers({ caption, heads, rows }: NumbersProps) {
  return (
    <table class="log numbers">
      {caption && <caption>{caption}</caption>}
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cells, share }) => (
          <tr key={name}>
            <th scope="row">
              {name}
              {share !== undefined && <span class="bar" aria-hidden="true" style={{ "--share": share }} />}
            </th>
            {cells.map((cell, i) => (
              <td key={heads[i + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
