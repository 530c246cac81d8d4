/** Settings as a user has them who changed nothing else. */
import { readSettings, type Settings } from "../settings.ts";

export const defaultSettings = (changed: Partial<Settings> = {}): Settings => ({
  ...readSettings({ get: () => undefined }),
  ...changed,
});
