// `npm start`: needs nothing but Node and npm. The work is in src/start.ts; this file gets as far as being able to run it.
// The check stands alone and before any import, so that an old Node fails with one line and not with a syntax error.
const major = Number(process.versions.node.split(".")[0]);
if (major < 20) {
  console.error(
    `Dhi needs Node 20 or newer, this is ${process.version}. Get one at https://nodejs.org and try again.`,
  );
  process.exit(1);
}

const [{ parseFlags, usage }, { build, buildPage, install, say }] = await Promise.all([
  import("./start-flags.mjs"),
  import("./prepare.mjs"),
]);

const flags = parseFlags(process.argv.slice(2));
if ("help" in flags) {
  console.log(usage);
  process.exit(0);
}
if ("problem" in flags) {
  console.error(`${flags.problem} (npm start -- --help lists what there is)`);
  process.exit(2);
}
try {
  await install();
  await build("core", "indexer", "server", "cli", "scripts");
  await buildPage();
} catch (error) {
  say(error.message);
  process.exit(1);
}
const { start } = await import("./dist/start.js");
process.exit(await start(flags));
