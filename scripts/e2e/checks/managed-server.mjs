/** A server that VS Code itself starts and stops. */

/** Stands for one: the machine's settings have it as `dhi.server.command`. */
export const SERVER_COMMAND = [
  process.execPath,
  "-e",
  "console.log('Dhi serves', process.argv[1]); setInterval(() => {}, 1000)",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the extension fills it in
  "${workspaceFolder}",
];

export async function managedServerChecks({ check, shot, workbench, workspace }) {
  await check("Dhi: Start Server runs the user's command on the open folder, and shows its log", async () => {
    await workbench.runCommand("Dhi: Start Server");
    await workbench.outputLine(new RegExp(`^Dhi serves ${workspace}$`));
    await shot("server-log");
  });
  await check("Dhi: Stop Server ends it", async () => {
    await workbench.runCommand("Dhi: Stop Server");
    const line = await workbench.outputLine(/^The server has ended: SIGTERM\.$/);
    await workbench.runCommand("View: Hide Panel");
    return line;
  });
}
