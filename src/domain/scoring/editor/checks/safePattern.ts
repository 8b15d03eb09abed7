/** Why a pattern of an answer may not be used; null for a safe pattern. A safe pattern needs little time for every answer. */
export function findPatternFault(pattern: string): string | null {
  if (pattern.length > 200) return '格式规则不超过 200 个字符';
  // Classes and escapes hold no groups, so the tests below see only the structure.
  const plain = pattern.replace(/\\[^1-9k]/g, 'a').replace(/\[(?:\\.|[^\]\\])*\]/g, 'a');
  if (/\\[1-9k]/.test(plain)) return '格式规则不能使用反向引用';
  if (/\(\?(?:[=!]|<[=!])/.test(plain)) return '格式规则不能使用前后断言';
  if (hasNestedQuantifier(plain)) return '格式规则不能在重复中再重复';
  try {
    new RegExp(`^(?:${pattern})$`, 'u');
    return null;
  } catch {
    return '格式规则不正确，无法识别';
  }
}

/** Whether a group with a repetition or an alternative inside is itself repeated, such as `(a+)+` or `(a|ab)*`. */
function hasNestedQuantifier(plain: string): boolean {
  const open: boolean[] = [];
  for (let index = 0; index < plain.length; index++) {
    const char = plain.charAt(index);
    const top = open.length - 1;
    if (char === '(') open.push(false);
    else if (char === ')') {
      const isVariable = open.pop() ?? false;
      const isRepeated = /^(?:[*+]|\{\d+(?:,\d*)?\})/.test(plain.slice(index + 1));
      if (isVariable && isRepeated) return true;
      if (isVariable && open.length) open[open.length - 1] = true;
    } else if (top >= 0 && (/[*+|]/.test(char) || /^(?:\{\d+,\d*\}|\w\?)/.test(plain.slice(index)))) open[top] = true;
  }
  return false;
}
