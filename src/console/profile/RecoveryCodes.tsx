import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';
import { accountName } from '#domain/tenant/access.ts';
import { useUser } from '#ui/api/session.ts';
import { save } from '#ui/api/transfer.ts';

/** Shows the recovery codes once. The person confirms that they were saved before going on. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const name = accountName(useUser());
  const [kept, setKept] = useState(false);
  const text = `AI智慧心理-管理端 恢复码\n账号：${name}\n每个只能使用一次\n\n${codes.join('\n')}\n`;
  return (
    <Stack gap="md">
      <Alert color="orange" variant="light">
        恢复码只显示这一次。手机丢失或换机时，可用其中一个代替动态验证码登录，每个只能用一次。请打印或抄写后放在安全的地方，不要存在同一部手机里。
      </Alert>
      <ol
        aria-label="恢复码"
        style={{
          display: 'grid',
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 150px), 1fr))',
          gap: '4px 24px',
          margin: 0,
          paddingInlineStart: 28,
          fontSize: 15,
        }}
      >
        {codes.map((code) => (
          <li key={code}>
            <Text component="code" ff="monospace" fz={15}>
              {code}
            </Text>
          </li>
        ))}
      </ol>
      <Group gap="sm">
        <CopyTextButton text={text} size="compact-sm" leftSection={<IconCopy size={14} aria-hidden />}>
          复制全部
        </CopyTextButton>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={14} aria-hidden />}
          onClick={() => save(new Blob([text], { type: 'text/plain' }), `恢复码-${name}.txt`)}
        >
          保存为文件
        </Button>
      </Group>
      <Group justify="space-between">
        <Checkbox label="我已妥善保存恢复码" checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} />
        <Button disabled={!kept} onClick={onDone}>
          完成
        </Button>
      </Group>
    </Stack>
  );
}
