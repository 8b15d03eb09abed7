import { Tabs } from '@mantine/core';
import { useSearchParams } from '#ui/router/router.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { can, useUser } from '#ui/api/session.ts';
import { ExplainPanel } from '#features/access/permission/ExplainPanel.tsx';
import { InstitutionMenus } from '#features/access/menu/InstitutionMenus.tsx';
import { MenuTree } from '#features/access/menu/MenuTree.tsx';
import { explain } from '#features/access/permission/permission.contract.ts';
import { updateMuserMenu } from '#features/access/role/role.contract.ts';

/** 菜单管理: the menu entries with their codes, the functions of an institution, and why an account cannot see a screen. */
export default function MenuPage() {
  const [params, setParams] = useSearchParams();
  useUser();
  const tab = params.get('tab') ?? 'menu';
  return (
    <PageStack>
      <Section>
        <Tabs
          value={tab}
          onChange={(next) => setParams(next && next !== 'menu' ? { tab: next } : {}, { replace: true })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="menu">菜单与编码</Tabs.Tab>
            {can(updateMuserMenu) && <Tabs.Tab value="institution">机构权限</Tabs.Tab>}
            {can(explain) && <Tabs.Tab value="explain">为什么看不到</Tabs.Tab>}
          </Tabs.List>
          <Tabs.Panel value="menu">
            <MenuTree />
          </Tabs.Panel>
          <Tabs.Panel value="institution">
            <InstitutionMenus />
          </Tabs.Panel>
          <Tabs.Panel value="explain">
            <ExplainPanel />
          </Tabs.Panel>
        </Tabs>
      </Section>
    </PageStack>
  );
}
