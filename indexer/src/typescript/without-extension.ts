/** As a path that leads nowhere is stored, and looked for when a file appears. */
export const withoutExtension = (path: string): string =>
  path.replace(/(?:\.d)?\.(?:[cm]?[jt]s|[jt]sx)$/i, "");
