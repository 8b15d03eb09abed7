import { Group, Modal, Stack, Text } from '@mantine/core';
import { shownName } from '#domain/access.ts';
import { MUserType, Sector } from '#domain/enums.ts';
import { Facts } from '#ui/Section.tsx';
import { useUser } from '#ui/session.ts';
import { QrPicture } from '#console/shell/QrDialog.tsx';

/** 个人中心: who is signed in, with the institution's code at 200 × 200. */
export function AccountDialog({ onClose }: { onClose: () => void }) {
  const user = useUser();
  return (
    <Modal opened onClose={onClose} title="个人中心" size="lg">
      <Group align="flex-start" gap="xl" wrap="wrap">
        <div style={{ flex: '1 1 260px' }}>
          <Facts
            facts={[
              ['账号', shownName(user)],
              ['姓名', user.realname],
              ['联系电话', user.phonenumber],
              ['机构', user.insname],
              ['机构类型', MUserType.label(user.musertype)],
              ['行业', Sector.label(user.sector)],
              ['地区', user.regionname],
              ['机构编号', user.musercode],
            ]}
          />
        </div>
        {user.qrcodeurl && (
          <Stack align="center" gap={6}>
            <QrPicture size={200} />
            <Text size="xs" c="dimmed">
              机构二维码
            </Text>
          </Stack>
        )}
      </Group>
    </Modal>
  );
}
