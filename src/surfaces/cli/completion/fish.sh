# orchsim in fish: npx orchsim completion fish | source, for instance in ~/.config/fish/config.fish
function __orchsim_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    type -q -- $program; or set program npx --no-install orchsim
    $program completion fish -- $words[2..-1] "$current" 2>/dev/null
end
complete -c orchsim -f -a '(__orchsim_complete)'
