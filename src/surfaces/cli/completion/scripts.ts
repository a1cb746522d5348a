/** The scripts that teach shells to complete: each asks the program itself what may come next, so that none of them grows old. */

/** Shells that there is a script for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** How the program is asked: as it was typed where that is a program, else as npx finds it, and nothing is downloaded for it. */
const ASKED = 'npx --no-install orchsim';

const BASH = `# orchsim in bash: source <(npx orchsim completion bash), for instance in ~/.bashrc
_orchsim() {
  local program=("\${COMP_WORDS[0]}") word about
  case "$(type -t -- "\${COMP_WORDS[0]}")" in file | function) ;; *) program=(${ASKED}) ;; esac
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
  [[ "$(whence -w -- "$words[1]" 2>/dev/null)" == *:\\ (command|function) ]] || program=(${ASKED})
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
    type -q -- $program; or set program ${ASKED}
    $program completion fish -- $words[2..-1] "$current" 2>/dev/null
end
complete -c orchsim -f -a '(__orchsim_complete)'
`;

export const completionScripts: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
