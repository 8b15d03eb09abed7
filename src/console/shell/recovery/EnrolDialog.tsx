import { Anchor, Divider, Text } from '@mantine/core';
import { useState } from 'react';
import { useActionQuery } from '#ui/api/useAction.ts';
import { BlockingDialog } from '#ui/feedback/BlockingDialog.tsx';
import { describeObstacle } from '#ui/passkey/passkey.ts';
import { getPasskeyList } from '#features/account/passkey/passkey.contract.ts';
import { AddPasskey } from '#console/profile/AddPasskey.tsx';
import { FactorSetup } from '#console/profile/FactorSetup.tsx';
import { RecoveryCodes } from '#console/profile/RecoveryCodes.tsx';
import { signOut } from '#console/session.ts';

const reload = () => location.reload();

/** The server requires a second factor of this account. The dialog sets it up; the only other way is signing out. */
export function EnrolDialog() {
  const [codes, setCodes] = useState<readonly string[]>();
  const { data } = useActionQuery(getPasskeyList, {}, { quiet: true });
  const passkey = data && describeObstacle(data.origin) === '' && (
    <>
      <Divider label="或者" />
      <Text size="sm">用这台设备的指纹、面容或设备密码：添加一个通行密钥，以后登录不用输入验证码。</Text>
      <AddPasskey obstacle="" onAdded={(made) => (made.length > 0 ? setCodes(made) : reload())} />
    </>
  );
  return (
    <BlockingDialog title="请先设置二次验证" size="lg" zIndex={430}>
      <Text size="sm" c="dimmed" mb="md">
        您所在的机构或角色要求登录时除密码外再验证一次。设置完成后即可继续使用。
      </Text>
      {codes ? <RecoveryCodes codes={codes} onDone={reload} /> : <FactorSetup onDone={reload} other={passkey} />}
      <Anchor component="button" type="button" size="sm" mt="md" onClick={() => void signOut()}>
        退出登录
      </Anchor>
    </BlockingDialog>
  );
}
