import { Anchor, Text } from '@mantine/core';
import { BlockingDialog } from '#ui/feedback/BlockingDialog.tsx';
import { FactorSetup } from '#console/profile/FactorSetup.tsx';
import { signOut } from '#console/session.ts';

/** The server requires a second factor of this account. The dialog sets it up; the only other way is signing out. */
export function EnrolDialog() {
  return (
    <BlockingDialog title="请先设置二次验证" size="lg" zIndex={430}>
      <Text size="sm" c="dimmed" mb="md">
        您所在的机构或角色要求登录时除密码外再输入一次动态验证码。设置完成后即可继续使用。
      </Text>
      <FactorSetup onDone={() => location.reload()} />
      <Anchor component="button" type="button" size="sm" mt="md" onClick={() => void signOut()}>
        退出登录
      </Anchor>
    </BlockingDialog>
  );
}
