import { Button, Text } from '@mantine/core';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { BoxedRow, BoxedRows } from '#ui/display/BoxedRows.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { Section } from '#ui/display/Section.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { confirm } from '#ui/feedback/confirm.tsx';
import { deleteTrustedDevice, getTrustedDeviceList, TRUST_DAYS } from '#features/account/device/device.contract.ts';

/** 免二次验证的设备: shown where the institution allows them. */
export function DevicesPanel() {
  const { data } = useActionQuery(getTrustedDeviceList, {});
  const remove = useActionMutation(deleteTrustedDevice, {
    invalidates: [getTrustedDeviceList],
    successMessage: '已移除，下次在那里登录须二次验证',
  });
  if (!data?.allowed) return null;
  const { devices } = data;
  const all = async () => {
    if (await confirm('移除全部设备？下次登录都须二次验证，正在使用的登录不受影响。')) remove.mutate({});
  };
  return (
    <Section
      title="免二次验证的设备"
      right={
        devices.length > 1 && (
          <Button variant="light" color="red" size="compact-sm" loading={remove.isPending} onClick={() => void all()}>
            全部移除
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed" mb="md">
        {`登录时勾选“此设备 ${TRUST_DAYS} 天内免二次验证”的浏览器。密码照常要输，敏感操作照常再次验证；修改密码后全部失效。公用电脑请勿勾选。`}
      </Text>
      {devices.length === 0 ? (
        <Text size="sm">没有免二次验证的设备</Text>
      ) : (
        <BoxedRows label="免二次验证的设备">
          {devices.map((row) => (
            <BoxedRow
              key={row.deviceid}
              title={
                <>
                  {row.device} {row.current && <Badge tone="green">当前设备</Badge>}
                </>
              }
              lines={[
                [row.ip, row.place].filter(Boolean).join(' · ') || '未知地址',
                <>
                  最近登录 <RelativeTime at={row.lasttime} />，{row.until.slice(0, 10)} 到期
                </>,
              ]}
            >
              <ConfirmButton
                question="移除这台设备？下次在那里登录须二次验证。"
                onConfirm={() => remove.mutateAsync({ deviceid: row.deviceid })}
              >
                移除
              </ConfirmButton>
            </BoxedRow>
          ))}
        </BoxedRows>
      )}
    </Section>
  );
}
