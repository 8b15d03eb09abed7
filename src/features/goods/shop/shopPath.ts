/** 选购 stands below 订单管理, from which it is opened. */
export const SHOP_PATH = '/operations/orderManagement/shop';

/** Returns the path of goods in 选购. */
export const shopGoodsPath = (goodsid: number): string => `${SHOP_PATH}/${goodsid}`;
