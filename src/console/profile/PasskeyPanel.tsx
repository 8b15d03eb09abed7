import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { queryClient } from '#ui/api/queryClient.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { BoxedRow, BoxedRows } from '#ui/display/BoxedRows.tsx';
import { RelativeTime } from '#ui/display/RelativeTime.tsx';
import { Section } from '#ui/display/Section.tsx';
import { BlockingDialog } from '#ui/feedback/BlockingDialog.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { describeObstacle } from '#ui/passkey/passkey.ts';
import { getTrustedDeviceList } from '#features/account/device/device.contract.ts';
import { getSecondFactor } from '#features/account/factor.contract.ts';
import { deletePasskey, getPasskeyList } from '#features/account/passkey/passkey.contract.ts';
import { AddPasskey } from '#console/profile/AddPasskey.tsx';
import { RecoveryCodes } from '#console/profile/RecoveryCodes.tsx';
import { reread } from '#console/session.ts';

/** 通行密钥: the passkeys of the signed-in account. */
export function PasskeyPanel() {
  const read = useActionQuery(getPasskeyList, {});
  const [codes, setCodes] = useState<readonly string[]>();
  const remove = useActionMutation(deletePasskey, {
    invalidates: [getPasskeyList, getSecondFactor, getTrustedDeviceList],
    successMessage: '通行密钥已移除',
  });
  return (
    <Section title="通行密钥">
      <Text size="sm" c="dimmed" mb="md">
        用指纹、面容或设备密码登录，不用输入账号和密码。密钥保存在您的设备上，钓鱼网站骗不走；也可以在再次验证身份时使用。
      </Text>
      <Loaded read={read} skeleton={<Skeletons.Lines count={3} />}>
        {({ origin, passkeys }) => (
          <Stack gap="md">
            {passkeys.length === 0 ? (
              <Text size="sm">还没有通行密钥</Text>
            ) : (
              <BoxedRows label="通行密钥">
                {passkeys.map((row) => (
                  <BoxedRow
                    key={row.passkeyid}
                    title={
                      <>
                        {row.passkeyname} {row.isbackedup === 1 && <Badge tone="gray">多设备同步</Badge>}
                      </>
                    }
                    lines={[
                      <>
                        添加于 {row.createtime.slice(0, 16)}，
                        {row.lasttime ? (
                          <>
                            最近使用 <RelativeTime at={row.lasttime} />
                          </>
                        ) : (
                          '还没有用过'
                        )}
                      </>,
                    ]}
                  >
                    <ConfirmButton
                      question={`移除“${row.passkeyname}”？它不能再用来登录，免二次验证的设备也须重新验证。设备里的密钥可在设备设置中删除。`}
                      onConfirm={async () => {
                        await remove.mutateAsync({ passkeyid: row.passkeyid });
                        void reread();
                      }}
                    >
                      移除
                    </ConfirmButton>
                  </BoxedRow>
                ))}
              </BoxedRows>
            )}
            <AddPasskey
              obstacle={describeObstacle(origin)}
              onAdded={(recoverycodes) => {
                if (recoverycodes.length > 0) setCodes(recoverycodes);
                void read.refetch();
                void queryClient.invalidateQueries({ queryKey: [getSecondFactor.name] });
                void reread();
              }}
            />
          </Stack>
        )}
      </Loaded>
      {codes && (
        <BlockingDialog title="恢复码" size="lg">
          <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
        </BlockingDialog>
      )}
    </Section>
  );
}
