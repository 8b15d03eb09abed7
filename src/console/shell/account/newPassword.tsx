import { Progress, Text } from '@mantine/core';

/** All digits, or letters with the digits 1–9, or the symbols alone (specification section 5). */
export const PASSWORD_RULE = /^(\d+|[A-Za-z1-9]+|[!@#$%^&*]+)$/;
const RULE_WORDS = '可全部使用数字，或使用字母与数字 1–9，或全部使用 !@#$%^&*';

/** Returns the rule that a typed password breaks, or nothing. */
export function formatFault(password: string): string | undefined {
  if (!password || PASSWORD_RULE.test(password)) return undefined;
  if (/[^A-Za-z\d!@#$%^&*]/.test(password)) return '只能使用字母、数字和 !@#$%^&*，不能有空格和其他字符';
  if (/[!@#$%^&*]/.test(password)) return '符号不能与字母或数字一起使用';
  return '与字母一起使用时，数字只能是 1–9，不能有 0';
}

/** Estimates the strength, 0–3, from length and variety. The server refuses common passwords. */
export function strength(password: string): 0 | 1 | 2 | 3 {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(password)).length;
  const different = new Set(password).size;
  if (password.length < 8 || different < 4) return password ? 1 : 0;
  return password.length >= 12 && (kinds >= 2 || different >= 9) ? 3 : 2;
}
const WORDS = ['', '较弱：请用 8 位以上、少重复的密码', '一般：再长一些更安全', '较强'] as const;
const COLOURS = ['gray', 'red', 'yellow', 'brand'] as const;

export function StrengthHint({ password }: { password: string }) {
  const fault = formatFault(password);
  const level = fault ? 1 : strength(password);
  return (
    <>
      <Progress mt="xs" size="xs" value={(level / 3) * 100} color={COLOURS[level]} aria-label="密码强度" />
      <Text size="xs" {...(fault ? { c: 'var(--mantine-color-error)' } : { c: 'dimmed' })} mt={4} mih={18} role="status">
        {fault ?? (WORDS[level] || RULE_WORDS)}
      </Text>
    </>
  );
}
