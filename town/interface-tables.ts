/**
 * Every row of every table of the interface, and every field that the text of the interface lists. The statements in
 * `test/contract` must cover all of them. The list is written by hand from the interface, not from the schemas, so it
 * also finds fields that the code lacks.
 */
export interface InterfaceTable {
  section: string;
  members: readonly string[];
}

const words = (text: string): string[] => text.trim().split(/\s+/);
const table = (section: string, members: string): InterfaceTable => ({ section, members: words(members) });

const CONTACT = 'name email phone';
const ADDRESS = 'line1 line2 line3 line4 city mainDivisionCode postalCode countryCode';

const resources: InterfaceTable[] = [
  table(
    'Item',
    `catalogId clientId clientItemId itemId countryOfOrigin description freightClass fulfillmentOverride
     giftCardTenderCode hazardousMaterialCode productId productTitle salesClass sourcingOverride sourcingPreference
     status styleDescription styleId taxCode type shipAlone gii
     bundle dropShipped eligibleToModify infiniteInventory inventoryCheckEligible isFeedItem onPreOrder shipTogether
     splitToOne sfsEligible ispuEligible stsEligible ispuReserveEligible associateDeliveryEligible
     maxGCAmount maxOrderableQuantity minOrderableQuantity maxShipmentProcessingDays minShipmentProcessingDays
     streetDate brand color dropShipSupplier hierarchy customDynamicAttributes bundleItems images sizes upcs
     manufacturer supplier cartonMassDimensions displayMassDimensions shippingMassDimensions dimensionalWeight
     cartonPackagingDimensions displayPackagingDimensions shippingPackagingDimensions unitCost
     fulfillmentTypeEligibilities`,
  ),
  table('Brand', 'name description'),
  table('BrandDescription', 'locale description'),
  table('Color', 'code descriptions'),
  table('ColorDescription', 'locale description'),
  table('DropShipSupplier', 'name number partNumber'),
  table(
    'Hierarchy',
    `deptNumber deptDescription subDeptNumber subDeptDescription classNumber classDescription subClassNumber
     subClassDescription`,
  ),
  table('Attribute', 'name value'),
  table('BundleItem', 'item itemId operationType pricePercentage quantity'),
  table('Image', 'url type view height width'),
  table('Size', 'locale code description'),
  table('UPC', 'upcType upc operationType'),
  table('Manufacturer', 'name id manufacturingDate'),
  table('MassDimensions', 'unit weight'),
  table('PackagingDimensions', 'unit width length height'),
  table('Price', 'currency value'),
  table('Supplier', 'name id partNumber'),
  table('FulfillmentTypeEligibility', 'fulfillmentTypeId eligibility'),
];

const inbound: InterfaceTable[] = [
  table('ReceivingDetail', 'ASNData POData'),
  table('ASNData', 'Header Details'),
  table('POData', 'Header Details'),
  table(
    'Header',
    `ASNNumber ShipmentNumber ReceivingType ReceivingWarehouseId ShipmentReceiptDate OrderDate ShipperName StoreCode
     POStatus SellerId HeaderExtendedAttributes`,
  ),
  table('ExtendedAttributes', 'Name Value Description'),
  table('Details', 'Detail'),
  table(
    'Detail',
    `ASNNumber CartonId ClientItemId ItemCost LineNumber ReceivingWarehouseId ShippedQuantity ShippingComments
     TrailerNumber DetailExtendedAttributes`,
  ),
];

const shared: InterfaceTable[] = [
  table('DateRange', 'from to'),
  table('Contact', CONTACT),
  table('PersonName', 'firstName middleName lastName'),
  table('Address', ADDRESS),
  table('Destination', 'destinationId destinationType personName address phone email'),
  table('Destination reference', 'destinationId billToAddress shippingAddress shipFromAddress'),
];

const states: InterfaceTable[] = [
  table('States', 'Item.status PickTicket.status FulfillmentOrder.status InboundResult.status generate'),
];

const endpoints: InterfaceTable[] = [
  table('Read an item', 'storeId itemId 200 403 404 500'),
  table('Delete an item', 'clientId itemId 204 403 404'),
  table('Transmit an ASN or PO', '200 400 application/xml'),
  table(
    'Transmit an ASN or PO, response',
    `poAsnData poAsnNumber store_id catalog_id successfull_imported total_errors_encountered file_name client_id
     reportedFrom errors`,
  ),
  table(
    'Queue assignment, request',
    `path.storeId path.nodeId query.queueId storeId nodeId queueId fulfillmentType carrier service shipMethod
     pickTicketId fulfillmentOrderId webOrderId zipCodeRange zipCodeRange.from zipCodeRange.to orderDateRange
     fulfillmentOrderDateRange expectedDeliveryDateRange customer proxyDetails trackingNumber pinNumber pageId pageSize
     lastPageId maxRecordsCount lastRecordId`,
  ),
  table(
    'Queue assignment, response',
    `200 fulfillmentOrders fulfillmentOrderId storeId nodeId omsOrderId fulfillmentOrderDate orderDate holdLocation
     expectedDeliveryDate fulfillmentType carrier service shipMethod pickTicketId status totalNoOfItems totalQuantity
     totalNoOfPackages pinNumber trackingNumbers customer proxyDetails slaDate slaDate.slaTypeId slaDate.value
     shippingAddress destinations pageId pageSize`,
  ),
  table('Generate a pack slip, request', 'storeId nodeId modifyAssociateId fulfillmentOrderId'),
  table('Generate a pack slip', '200 400 500'),
  table(
    'Generate a pack slip, response',
    `packSlipDetails packSlipId storeId nodeId orderSource orderSourceType hfrEligible carrierException
     fulfillmentOrder`,
  ),
  table(
    'Pack slip fulfillmentOrder',
    `fulfillmentOrderId omsOrderId fulfillmentType currency carrier service fulfillmentOrderDate orderDate status
     webOrderId externalOrderNumber externalOrderNumber2 packages packages.packageId packages.packageItems
     packageItems.webLineId packageItems.quantity fulfillmentOrderItems fulfillmentOrderItems.id
     fulfillmentOrderItems.webLineId fulfillmentOrderItems.itemDetails itemDetails.itemId
     fulfillmentOrderItems.orderedQuantity fulfillmentOrderItems.itemTotal itemTotal.unitPrice itemTotal.extendedPrice
     itemTotal.charges itemTotal.tax fulfillmentOrderItems.instructions instructions.type instructions.text
     destinations destinations.personName personName.firstName personName.lastName destinations.phone
     destinations.email destinations.address address.line1 address.city address.mainDivisionCode address.postalCode
     address.countryCode address.line2 billToAddress shippingAddress orderTotal orderTotal.grandTotal
     orderTotal.grandTax orderTotal.grandCharges orderTotal.hdrTax orderTotal.hdrCharges orderTotal.cashOnDelivery`,
  ),
  table(
    'Search fulfillment orders, request',
    `storeId nodeId userId webOrderId omsOrderId orderDateRange fulfillmentOrder fulfillmentOrder.fulfillmentOrderId
     fulfillmentOrder.fulfillmentTypes fulfillmentOrder.statuses statuses.from statuses.to fulfillmentOrder.customer
     fulfillmentOrder.proxyDetails fulfillmentOrder.fulfillmentOrderDateRange pageId pageSize maxRecordsCount`,
  ),
  table(
    'Search fulfillment orders, response',
    `200 fulfillmentOrders fulfillmentId fulfillmentOrderId storeId nodeId omsOrderId webOrderId fulfillmentType carrier
     service fulfillmentOrderDate orderDate status customer proxyDetails pageId pageSize totalRecords`,
  ),
  table('Generate a pick ticket, request', 'storeId nodeId queueId userId fulfillmentOrderIds modifyAssociateId'),
  table(
    'Generate a pick ticket, response',
    `201 pickTicketDetails pickTicketId storeId nodeId queueId userId status holdLocation fulfillmentType pickTicketType
     pickTicketDate pickSLADate currency totalFulfillmentOrders totalSKUs totalQuantity pickTicketItems`,
  ),
  table(
    'Pick ticket item',
    `id itemDetails itemDetails.itemId itemDetails.itemDesc itemDetails.color itemDetails.colorCode itemDetails.size
     itemDetails.sizeCode itemDetails.style itemDetails.upcs upcs.type upcs.value quantity unitPrice retailPrice
     pickLocation pickedQuantity canceledQuantity cancellationReasonCode`,
  ),
  table(
    'Update a pick ticket, request',
    `modifyAssociateId pickTicketDetails pickTicketId action storeId nodeId userId holdLocation pickTicketItems
     pickTicketItems.id pickTicketItems.itemId pickTicketItems.quantity pickTicketItems.pickedQuantity
     pickTicketItems.canceledQuantity pickTicketItems.cancellationReasonCode RESET`,
  ),
  table('Update a pick ticket', '204'),
  table('Check-in details', 'path.storeId path.nodeId path.fulfillmentOrderId 200 400 404 500'),
  table(
    'Check-in details, response',
    `fulfillmentOrder storeId nodeId omsOrderId fulfillmentOrderId webOrderId fulfillmentType currency carrier service
     fulfillmentOrderDate orderDate totalVolume totalVolume.unit totalVolume.value totalWeight totalWeight.unit
     totalWeight.value checkInPackages destinations billToAddress shippingAddress shipFromAddress holdLocation
     checkInPackages.checkInPackageId checkInPackages.trackingNumber checkInPackages.checkInPackageItems
     checkInPackageItems.itemId checkInPackageItems.webLineId checkInPackageItems.quantity
     checkInPackageItems.checkInQuantity checkInPackageItems.checkInCanceledQuantity
     checkInPackageItems.checkInCancellationReasonCode destinations.personName personName.firstName
     personName.middleName personName.lastName destinations.address address.line1 address.line2 address.city
     address.mainDivisionCode address.postalCode address.countryCode destinations.email destinations.phone`,
  ),
  table('Check-in confirm', '204 400 500'),
  table(
    'Check-in confirm, request',
    `modifyAssociateId fulfillmentOrder action storeId nodeId fulfillmentOrderId holdLocation checkInPackages
     checkInPackages.checkInPackageId checkInPackages.checkInPackageItems checkInPackageItems.itemId
     checkInPackageItems.webLineId checkInPackageItems.quantity checkInPackageItems.checkInQuantity
     checkInPackageItems.checkInCanceledQuantity checkInPackageItems.checkInCancellationReasonCode UPDATE`,
  ),
];

const general: InterfaceTable[] = [
  {
    section: 'Authentication',
    members: [
      'Item read, item delete: Authorization',
      'Item read, item delete: apiKey',
      'Item read, item delete: Content-Type',
      'Transmit ASN or PO: apiKey',
      'Transmit ASN or PO: Content-Type',
      '403',
    ],
  },
  {
    section: 'Errors',
    members: [
      'Item not found: category',
      'Item not found: code',
      'Item not found: description',
      'Inbound failure: poAsnData',
      'Inbound failure: status',
      'Inbound failure: poAsnNumber',
      'Inbound failure: successfull_imported',
      'Inbound failure: errors',
      'Inbound failure: code',
      'Inbound failure: message',
      'Inbound failure: poAsnErrorPayload',
      'Inbound failure: type',
      'Payment error schema',
    ],
  },
  {
    section: 'Limits',
    members: [
      'catalogId 1 to 4',
      'clientId 1 to 32',
      'itemId 1 to 40',
      'description max 120',
      'ShipperName 30',
      'TrailerNumber 25',
      'ShippingComments 100',
      'ItemCost 0 to 999999',
      'queue assignment: pageId, pageSize, lastPageId, maxRecordsCount, lastRecordId',
      'order search: pageId, pageSize, maxRecordsCount',
      'order search: totalRecords',
      'echo of pageId and pageSize',
      'one ASN or PO per call',
    ],
  },
  { section: 'Conventions', members: ['JSON', 'ISO dates', 'UTC offset'] },
  { section: 'Fulfillment types', members: ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE'] },
  { section: 'Item identity', members: ['itemId', 'clientItemId'] },
  {
    section: 'What the service does',
    members: ['item master', 'inbound receiving', 'store fulfillment'],
  },
];

export const tables: readonly InterfaceTable[] = [
  ...resources,
  ...inbound,
  ...shared,
  ...states,
  ...endpoints,
  ...general,
];
