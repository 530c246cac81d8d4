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

/** What the first parameter may be, where those are few and known. */
const choicesOf = ({ parameters, choices = [] }: Command): readonly string[] =>
  choices.length ? choices : /^[a-z|]+$/.test(parameters) ? parameters.split("|") : [];

function bash(commands: readonly Command[]): string {
  const casesOf = (words: (command: Command) => readonly string[]) =>
    commands
      .filter((command) => words(command).length)
      .map((command) => `      ${command.name}) words="${words(command).join(" ")}" ;;`);
  return `_dhi() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(" ")}"
  elif [[ $cur == -* ]]; then
    case "\${COMP_WORDS[1]}" in
${casesOf(optionsOf).join("\n")}
    esac
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "\${COMP_WORDS[1]}" in
${casesOf(choicesOf).join("\n")}
    esac
  fi
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  else
    # A line each: a file's name may have a space in it.
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _dhi dhi`;
}

/** A zsh that was not told to complete anything has neither of both. */
const zsh = (commands: readonly Command[]): string =>
  `(( $+functions[compdef] )) || { autoload -U compinit && compinit -u; }
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;

function fish(commands: readonly Command[]): string {
  return commands
    .flatMap((command) => [
      `complete -c dhi -n __fish_use_subcommand -f -a ${command.name} -d '${command.summary.replaceAll("'", "\\'")}'`,
      ...choicesOf(command).map(
        (choice) => `complete -c dhi -n '__fish_seen_subcommand_from ${command.name}' -f -a ${choice}`,
      ),
      ...optionsOf(command).map(
        (option) => `complete -c dhi -n '__fish_seen_subcommand_from ${command.name}' -l ${option.slice(2)}`,
      ),
    ])
    .join("\n");
}
