/** The completion scripts for shells. Each runs orchsim for the candidates, so the script never gets out of date. */

/** Shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The script runs the typed word if that is a program, else orchsim by npx, without installing anything. */
const PROGRAM = 'npx --no-install orchsim';

const BASH = `# orchsim in bash: source <(npx orchsim completion bash), for instance in ~/.bashrc
_orchsim() {
  local program=("\${COMP_WORDS[0]}") word about
  case "$(type -t -- "\${COMP_WORDS[0]}")" in file | function) ;; *) program=(${PROGRAM}) ;; esac
  COMPREPLY=()
  while IFS=$'\\t' read -r word about; do
    case "$word" in
    */ | *=) compopt -o nospace 2>/dev/null ;;
    *) printf -v word %q "$word" ;;
    esac
    COMPREPLY+=("$word")
  done < <("\${program[@]}" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _orchsim orchsim
`;

const ZSH = `#compdef orchsim
# orchsim in zsh: source <(npx orchsim completion zsh), for instance in ~/.zshrc
_orchsim() {
  local -a program open told
  local line word about
  program=("$words[1]")
  [[ "$(whence -w -- "$words[1]" 2>/dev/null)" == *:\\ (command|function) ]] || program=(${PROGRAM})
  for line in "\${(@f)$("\${program[@]}" completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    word="\${line%%$'\\t'*}"
    about="\${line#*$'\\t'}"
    case "$word" in
    '') ;;
    */ | *=) open+=("$word") ;;
    *) told+=("\${word//:/\\\\:}\${about:+:$about}") ;;
    esac
  done
  (( $#open )) && compadd -S '' -- "\${open[@]}"
  (( $#told )) && _describe -V orchsim told
  return 0
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _orchsim orchsim
`;

const FISH = `# orchsim in fish: npx orchsim completion fish | source, for instance in ~/.config/fish/config.fish
function __orchsim_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    type -q -- $program; or set program ${PROGRAM}
    $program completion fish -- $words[2..-1] "$current" 2>/dev/null
end
complete -c orchsim -f -a '(__orchsim_complete)'
`;

export const completionScripts: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
