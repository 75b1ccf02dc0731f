import type { Command, Option } from 'commander';
import { fail, ok, type Result } from '../shared/outcome.ts';

/** What may stand next on the command line: commands, options, or an option's values. `words` ends with the one begun. */
export function complete(program: Command, words: readonly string[]): readonly string[] {
  const begun = words.at(-1) ?? '';
  let command = program;
  let previous: string | undefined;
  for (const word of words.slice(0, -1)) {
    const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (inner) command = inner;
    previous = word;
  }
  const expecting = command.options.find((option) => option.long === previous && takesValue(option));
  const candidates = expecting
    ? (expecting.argChoices ?? [])
    : begun.startsWith('-')
      ? command.options.flatMap((option) => (option.long ? [option.long] : []))
      : command.commands.map((one) => one.name());
  return candidates.filter((candidate) => candidate.startsWith(begun) && !candidate.startsWith('__'));
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

const SHIMS: Readonly<Record<string, string>> = {
  bash: `_jugg() {
  local IFS=$'\\n'
  COMPREPLY=($(jugg __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _jugg jugg
`,
  zsh: `#compdef jugg
_jugg() {
  local -a found
  found=("\${(@f)$(jugg __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${#found} )) && [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _jugg jugg
`,
  fish: `complete -c jugg -a '(jugg __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
};

/** The script that teaches a shell to complete \`jugg\`. */
export function completionScript(shell: string): Result<string> {
  const shim = SHIMS[shell];
  return shim
    ? ok(shim)
    : fail('INVALID_PARAMS', `shell: got "${shell}", expected ${Object.keys(SHIMS).join(', ')}`);
}
