import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';
import { BlockingDialog } from '#ui/feedback/BlockingDialog.tsx';
import { Facts } from '#ui/display/Section.tsx';

interface Props {
  title: string;
  name: string;
  loginname: string;
  secret: string;
  validuntil: string;
  onClose: () => void;
}

/** Shows a one-time password once. Only its button closes the dialog, so that a stray click cannot lose it. */
export function OneTimePassword({ title, name, loginname, secret, validuntil, onClose }: Props) {
  return (
    <BlockingDialog title={title} size={460}>
      <Stack gap="md">
        <Facts
          facts={[
            ['姓名', name],
            ['登录账号', loginname],
            ['有效期至', validuntil],
          ]}
        />
        <div style={{ textAlign: 'center', padding: '14px 8px', borderRadius: 8, background: 'var(--tint)' }}>
          <Text size="sm" c="dimmed">
            一次性初始密码
          </Text>
          <Text component="output" fz={26} ff="monospace" fw={600} style={{ letterSpacing: 2, wordBreak: 'break-all' }}>
            {secret}
          </Text>
        </div>
        <Alert color="orange" variant="light">
          关闭后无法再次查看。只能登录一次，登录后须立即修改密码；过期可重新生成。
        </Alert>
        <Group justify="flex-end">
          <CopyTextButton
            text={`登录地址：${location.origin}/login\n账号：${loginname}\n初始密码：${secret}\n（${validuntil} 前有效，登录后请修改密码）`}
            leftSection={<IconCopy size={16} aria-hidden />}
          >
            复制账号和密码
          </CopyTextButton>
          <Button onClick={onClose}>我已记下</Button>
        </Group>
      </Stack>
    </BlockingDialog>
  );
}
