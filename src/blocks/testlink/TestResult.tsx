import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ResponseOf } from '#contract/action.ts';
import type { insertKioskCode, insertTestLink } from '#features/assess/assess.contract.ts';
import classes from './testlink.module.css';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';

/** `2025-10-15 10:00:00` as 10月15日 10:00. */
const moment = (time: string) => `${Number(time.slice(5, 7))}月${Number(time.slice(8, 10))}日 ${time.slice(11, 16)}`;

/** The QR code and the link of a test, shown once. */
export function LinkResult({ made, onClose }: { made: ResponseOf<typeof insertTestLink>; onClose: () => void }) {
  return (
    <Stack gap="md" align="stretch">
      <Text>
        {made.planname}：请受测者用手机扫码，{moment(made.expiretime)}前有效，交卷后失效。
      </Text>
      <img className={classes['qr']} src={made.picture} alt="本次测评的二维码" width={280} height={280} />
      <TextInput label="链接" readOnly value={made.link} onFocus={(event) => event.currentTarget.select()} />
      <Text size="sm" c="dimmed">
        {made.asksbirthday === 1
          ? '打开后要填本人的出生月日，填错 5 次链接失效。'
          : '档案里没有出生日期，打开链接即可作答，请只发给本人。'}
        链接只显示这一次；重新生成后，旧的链接失效。
      </Text>
      <Group justify="flex-end">
        <CopyTextButton text={made.link}>复制链接</CopyTextButton>
        <Button onClick={onClose}>完成</Button>
      </Group>
    </Stack>
  );
}

/** The four digits for a kiosk, shown once. */
export function CodeResult({ made, onClose }: { made: ResponseOf<typeof insertKioskCode>; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Text>{made.planname}：请受测者在自助机上输入这 4 位数字。</Text>
      <p className={classes['code']} role="status" aria-label={`测评码 ${made.code.split('').join(' ')}`}>
        {made.code}
      </p>
      <Text size="sm" c="dimmed">
        {moment(made.expiretime)}前有效，只能用一次。重新生成后，旧的测评码失效。
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>完成</Button>
      </Group>
    </Stack>
  );
}
