import type { BundleMessages } from '../messages.ts';

export const providers: BundleMessages['desk']['providers'] = {
  noRoles: 'Sin roles, las personas conservan el rol que tienen aquí.',
  claim: 'Valor del claim',
  role: 'Rol',
  add: 'Proveedor nuevo',
  removeTitle: (id: string) => `¿Eliminar «${id}»?`,
  removeHint:
    'Se cierra de inmediato la sesión de quien entró con él y se borran sus vínculos con personas. Esto no se puede deshacer.',
  issuer: 'Emisor (issuer)',
  clientId: 'ID de cliente en el proveedor',
  secret: 'Secreto de cliente',
  secretStays: 'Vacío: queda como está. Nunca se muestra.',
  roleClaim: 'Claim con el rol',
  roleClaimHint: 'Un puntero JSON dentro del token de identidad, como /roles o /realm_access/roles',
  roles: 'Roles',
  scopes: 'Scopes',
  createUsers: 'Crear a la persona en su primer inicio de sesión',
  nodes: 'Centros de las personas creadas así',
  redirect: 'URI de redirección que debe registrar allí:',
  emptyTitle: 'Todavía no hay proveedores',
  emptyHint: 'Con un proveedor, el personal de oficina inicia sesión con su cuenta de empresa. Añada el de su empresa.',
};
