/** `dhi completion`: what a shell needs to complete this command's own words. */
import { type Command, EXIT, UsageError } from "../command.ts";

/** @param commands all others */
export function createCompletion(commands: readonly Command[]): Command {
  const shells = { bash, zsh, fish } as const;
  const completion: Command = {
    ...{ name: "completion", parameters: "bash|zsh|fish", least: 1, most: 1 },
    summary: 'print shell completion: eval "$(dhi completion bash)"; fish: dhi completion fish | source',
    exits: "0 printed",
    async run({ parameters: [shell = ""], surroundings }) {
      const script = Object.entries(shells).find(([name]) => name === shell)?.[1];
      if (!script) throw new UsageError(`"${shell}" is no shell that is known here`);
      surroundings.print(script([...commands, completion]));
      return EXIT.yes;
    },
  };
  return completion;
}

const COMMON = ["--json", "--workspace", "--server", "--help"];

const optionsOf = ({ options = {}, passesOn }: Command): string[] => [
  ...Object.keys(options).map((name) => `--${name}`),
  ...(passesOn ? ["--help"] : COMMON),
];

function bash(commands: readonly Command[]): string {
  const cases = commands.map(
    (command) => `      ${command.name}) words="${optionsOf(command).join(" ")}" ;;`,
  );
  return `_dhi() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(" ")}"
  elif [[ $cur == -* ]]; then
    case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    esac
  fi
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$cur"))
  else COMPREPLY=($(compgen -f -- "$cur")); fi
}
complete -o filenames -F _dhi dhi`;
}

const zsh = (commands: readonly Command[]): string =>
  `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`;

function fish(commands: readonly Command[]): string {
  return commands
    .flatMap((command) => [
      `complete -c dhi -n __fish_use_subcommand -f -a ${command.name} -d '${command.summary.replaceAll("'", "\\'")}'`,
      ...optionsOf(command).map(
        (option) => `complete -c dhi -n '__fish_seen_subcommand_from ${command.name}' -l ${option.slice(2)}`,
      ),
    ])
    .join("\n");
}
