const scripts = {
  bash: `_keelson() {
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(keelson __complete -- "\${words[@]}" 2>/dev/null | cut -f1)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _keelson keelson
`,
  zsh: `#compdef keelson
_keelson() {
  local -a proposals
  local line
  while IFS= read -r line; do
    proposals+=("\${line//$'\\t'/:}")
  done < <(keelson __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#proposals} )); then
    _describe 'keelson' proposals
  else
    _files
  fi
}
# Found by its name it is called at once; sourced, it only registers.
if [ "$funcstack[1]" = "_keelson" ]; then
  _keelson "$@"
else
  compdef _keelson keelson
fi
`,
  fish: `function __keelson_complete
  set -l words (commandline -opc)[2..-1] (commandline -ct)
  keelson __complete -- $words 2>/dev/null
end
complete -c keelson -a '(__keelson_complete)'
`,
} as const;

export function completionScript(shell: keyof typeof scripts): string {
  return scripts[shell];
}
