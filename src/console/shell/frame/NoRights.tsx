import { Anchor, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useUser } from '#ui/api/session.ts';
import { Link } from '#ui/router/router.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { getAdministratorList } from '#features/account/profile.contract.ts';
import { signOut } from '#console/session.ts';
import { ChangePassword } from '#console/shell/account/ChangePassword.tsx';

/** The only page of an account without any right: it says which administrators can give one. */
export default function NoRights() {
  const { musertype } = useUser();
  const read = useActionQuery(getAdministratorList, {});
  const [isChangingPassword, setIsChangingPassword] = useState(false);
  return (
    <Stack gap="md" maw={560} mx="auto" py={{ base: 24, sm: 64 }} px="md">
      <Title order={2} fz={22}>
        您的账号还没有开通功能
      </Title>
      <Text>您已经登录成功，但您的角色还没有可以使用的功能。请联系本机构的管理员为您分配角色，分配后刷新本页即可使用。</Text>
      <Loaded read={read} skeleton={<Skeletons.Lines count={3} />}>
        {({ insname, administrators }) =>
          administrators.length > 0 ? (
            <div>
              <Text fw={600} mb={6}>
                {insname}的管理员
              </Text>
              <List spacing={4} aria-label="管理员">
                {administrators.map(({ userid, realname, rolenames }) => (
                  <List.Item key={userid}>
                    {realname}（{rolenames.join('、')}）
                  </List.Item>
                ))}
              </List>
            </div>
          ) : (
            <Text>{insname}还没有管理员用户，请联系机构账号的负责人或服务商。</Text>
          )
        }
      </Loaded>
      <Group mt="sm">
        <Button onClick={() => location.reload()}>刷新</Button>
        <Button variant="default" onClick={() => setIsChangingPassword(true)}>
          修改密码
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={() => void signOut()}>
          退出登录
        </Anchor>
      </Group>
      {musertype !== '003' && (
        <Text size="sm" c="dimmed">
          在此之前，您可以先看看 <Link to="/content">资讯与课程</Link>。
        </Text>
      )}
      {isChangingPassword && <ChangePassword onClose={() => setIsChangingPassword(false)} />}
    </Stack>
  );
}
