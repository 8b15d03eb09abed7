import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { notify } from '#ui/feedback/notify.ts';
import { useUser } from '#ui/api/session.ts';
import { save } from '#ui/api/transfer.ts';

/** Returns the QR code of the institution's entry, from the path that its respondents open. */
export function QrPicture({ size }: { size: 200 | 400 }) {
  const { qrcodeurl, insname } = useUser();
  const [failed, setFailed] = useState(false);
  if (!qrcodeurl) return <Alert color="gray">该账号暂无机构二维码</Alert>;
  if (failed) return <Alert color="orange">二维码加载失败，请稍后重试</Alert>;
  return (
    <img
      src={pictureOf(qrcodeurl, size)}
      width={size}
      height={size}
      alt={`${insname}的二维码`}
      style={{ maxWidth: '100%', height: 'auto', background: '#fff', borderRadius: 8 }}
      onError={() => setFailed(true)}
    />
  );
}

const pictureOf = (qrcodeurl: string, size: number) =>
  `/qr/${encodeURIComponent(qrcodeurl.split('/').at(-1) ?? '')}.png?size=${size}`;

/** 机构二维码, 400 × 400, to show or to download. */
export function QrDialog({ onClose }: { onClose: () => void }) {
  const { qrcodeurl, insname } = useUser();
  const fetchPicture = async () => {
    const answer = await fetch(pictureOf(qrcodeurl, 400)).catch(() => undefined);
    if (answer?.ok) save(await answer.blob(), `${insname}-机构二维码.png`);
    else notify.error('下载文件出现错误，请联系管理员！');
  };
  return (
    <Modal opened onClose={onClose} title="机构二维码" size={464}>
      <Stack align="center" gap="sm">
        <QrPicture size={400} />
        <Text fw={500}>{insname}</Text>
        {qrcodeurl && (
          <Text size="sm" c="dimmed" ta="center">
            受测者扫码进入测评：{location.origin}
            {qrcodeurl}
          </Text>
        )}
        {qrcodeurl && (
          <Group>
            <Button leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void fetchPicture()}>
              下载
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}
