// `node scripts/run.mjs NAME FLAGS…`: builds what is needed and runs src/NAME.ts. For what is no part of starting Dhi.
import { build, install, say } from "./prepare.mjs";

const [name, ...args] = process.argv.slice(2);
try {
  await install();
  await build("core", "indexer", "server", "scripts");
} catch (error) {
  say(error.message);
  process.exit(1);
}
// Else what was started would not hear of it.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
const { main } = await import(`./dist/${name}.js`);
process.exit(await main(args));
