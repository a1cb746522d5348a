# orchsim in bash: source <(npx orchsim completion bash), for instance in ~/.bashrc
_orchsim() {
  local program=("${COMP_WORDS[0]}") word about
  case "$(type -t -- "${COMP_WORDS[0]}")" in file | function) ;; *) program=(npx --no-install orchsim) ;; esac
  COMPREPLY=()
  while IFS=$'\t' read -r word about; do
    case "$word" in
    */ | *=) compopt -o nospace 2>/dev/null ;;
    *) printf -v word %q "$word" ;;
    esac
    COMPREPLY+=("$word")
  done < <("${program[@]}" completion bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _orchsim orchsim
