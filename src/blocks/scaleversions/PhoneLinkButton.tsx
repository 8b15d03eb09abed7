import { Button, Group, Image, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { useState } from 'react';
import { CopyTextButton } from '#ui/feedback/CopyTextButton.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Loaded } from '#ui/feedback/states.tsx';
import { getFormPreviewLink } from '#features/respond/preview/preview.contract.ts';

interface Props {
  formcode: string;
  /** a version, or `draft` */
  version: string;
  disabled?: boolean;
}

/** 手机预览: shows a QR code and a link that open one version on a phone for 30 minutes. */
export function PhoneLinkButton({ formcode, version, disabled = false }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDeviceMobile size={16} aria-hidden />}
        disabled={disabled}
        onClick={() => setIsOpen(true)}
      >
        手机预览
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title="手机预览" size="sm">
        <PhoneLink formcode={formcode} version={version} />
      </Modal>
    </>
  );
}

function PhoneLink({ formcode, version }: { formcode: string; version: string }) {
  const link = useActionQuery(getFormPreviewLink, { formcode, version }, { quiet: true });
  return (
    <Loaded read={link}>
      {({ url, qr, expiretime }) => (
        <Stack align="center" gap="sm">
          <Image src={qr} w={240} h={240} alt="手机预览二维码" />
          <Text size="sm" ta="center">
            用手机扫码，看到受测者作答的样子。不用登录，作答不会保存。
          </Text>
          <Group gap="xs" w="100%" wrap="nowrap">
            <TextInput
              aria-label="预览链接"
              value={url}
              readOnly
              style={{ flex: 1 }}
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyTextButton text={url}>复制</CopyTextButton>
          </Group>
          <Text size="sm" c="dimmed">
            {expiretime.slice(11, 16)} 前有效；得到链接的人都能看到题目，请勿转发到群里
          </Text>
        </Stack>
      )}
    </Loaded>
  );
}
