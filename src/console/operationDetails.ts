import { screen, type DetailPage } from '#console/lazyScreen.ts';

/** The pages of 运营管理 outside the menu. A path with a parameter stands below the paths that it would match too. */
export const operationDetails: readonly DetailPage[] = [
  {
    path: '/operations/cloudClassroom/:courseid',
    title: '课程',
    guard: 'operations.courses',
    screen: screen(() => import('#features/classroom/CoursePage.tsx')),
  },
  {
    path: '/operations/dashboards/edit',
    title: '编辑推文',
    guard: 'operations.articles',
    screen: screen(() => import('#features/article/page/ArticleEditPage.tsx')),
  },
  {
    path: '/operations/goodsManagement/edit',
    title: '编辑商品',
    guard: 'operations.goods',
    screen: screen(() => import('#features/goods/page/GoodsEditPage.tsx')),
  },
  {
    path: '/operations/orderManagement/shop',
    title: '选购',
    guard: 'operations.orders',
    authority: false,
    screen: screen(() => import('#features/goods/shop/ShopPage.tsx')),
  },
  {
    path: '/operations/orderManagement/shop/:goodsid',
    title: '选购商品',
    guard: 'operations.orders',
    authority: false,
    within: '/operations/orderManagement/shop',
    screen: screen(() => import('#features/goods/shop/ShopGoodsPage.tsx')),
  },
  {
    path: '/operations/orderManagement/reconcile',
    title: '每日对账',
    guard: 'operations.orders',
    screen: screen(() => import('#features/order/reconcile/ReconcilePage.tsx')),
  },
  {
    path: '/operations/orderManagement/:orderno',
    title: '订单详情',
    guard: 'operations.orders',
    screen: screen(() => import('#features/order/page/OrderPage.tsx')),
  },
];
