#compdef orchsim
# orchsim in zsh: source <(npx orchsim completion zsh), for instance in ~/.zshrc
_orchsim() {
  local -a program open shown
  local line word about
  program=("$words[1]")
  [[ "$(whence -w -- "$words[1]" 2>/dev/null)" == *:\ (command|function) ]] || program=(npx --no-install orchsim)
  for line in "${(@f)$("${program[@]}" completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    word="${line%%$'\t'*}"
    about="${line#*$'\t'}"
    case "$word" in
    '') ;;
    */ | *=) open+=("$word") ;;
    *) shown+=("${word//:/\\:}${about:+:$about}") ;;
    esac
  done
  (( $#open )) && compadd -S '' -- "${open[@]}"
  (( $#shown )) && _describe -V orchsim shown
  return 0
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _orchsim orchsim
