enum SpanishTexts {
    static let reasons: [String: TextPair] = [
        "lease_holds": .init(
            "La licencia se confirmó el {issuedAt}.",
            "No tiene que hacer nada. La licencia se volverá a confirmar automáticamente cuando tenga conexión."),
        "lease_lapsed": .init(
            "La licencia se confirmó por última vez el {issuedAt} y era válida hasta el {expiresAt}.",
            "Conéctese a internet. La app confirmará la licencia automáticamente; también puede comprobarla ahora."),
        "lease_unverifiable": .init(
            "La confirmación guardada de la licencia no se puede verificar.",
            "Conéctese a internet. La app confirmará la licencia automáticamente; también puede comprobarla ahora."),
        "lease_missing": .init(
            "La licencia aún no se ha confirmado en este dispositivo.",
            "Conéctese a internet. La app confirmará la licencia automáticamente; también puede comprobarla ahora."),
        "record_corrupted": .init(
            "Los datos de la licencia en este dispositivo están dañados.",
            "Introduzca de nuevo la clave de licencia. Si no la tiene, conéctese a internet y compruebe ahora."),
        "record_corrupted.foundAt": .init(
            "Los datos de la licencia que había aquí hasta el {foundAt} están dañados y no se usan.",
            "Introduzca de nuevo la clave de licencia. No cuenta como una segunda activación."),
        "record_foreign": .init(
            "Los datos de la licencia proceden de otro dispositivo o pertenecen a otro producto.",
            "Active la clave de licencia en este dispositivo. Si no la tiene, conéctese a internet y compruebe ahora."),
        "record_foreign.foundAt": .init(
            "Los datos de la licencia que había aquí hasta el {foundAt} no se usan. Proceden de otro dispositivo, o el identificador de este ha cambiado.",
            "Active la clave de licencia en este dispositivo."),
        "record_unreadable": .init(
            "Los datos de la licencia no se pueden leer.",
            "Permita que la app lea sus archivos y vuelva a abrirla."),
        "record_unwritable": .init(
            "Los datos de la licencia no se pueden guardar.",
            "Permita que la app escriba sus archivos y libere espacio de almacenamiento."),
        "clock_set_back": .init(
            "El reloj de este dispositivo indica el {clock}, pero la fecha real es, como mínimo, el {atLeast}.",
            "Ajuste el reloj, o conéctese a internet y compruebe ahora."),
        "trial_running": .init(
            "La prueba termina el {endsAt}.", "Active una clave de licencia para seguir usando la app después."),
        "trial_ended": .init("La prueba terminó el {endedAt}.", "Active una clave de licencia."),
        "trial_not_started": .init(
            "No hay licencia y la prueba aún no ha empezado.",
            "Inicie la prueba o active una clave de licencia."),
        "trial_not_offered": .init(
            "No hay licencia y el producto no ofrece prueba.", "Active una clave de licencia."),
        "free_tier": .init(
            "El producto tiene una versión gratuita.", "Active una clave de licencia para desbloquearlo todo."),
        "no_free_tier": .init("El producto no tiene una versión gratuita.", "Active una clave de licencia."),
        "not_connected_yet": .init(
            "Conéctese una vez para ver qué está incluido.",
            "Conéctese a internet y compruebe ahora, o active una clave de licencia."),
        "product_terms_unknown": .init(
            "La app aún no sabe qué puede usar usted sin licencia.",
            "Conéctese a internet y compruebe ahora, o active una clave de licencia."),
        "server_unreached": .init(
            "La solicitud al servidor de licencias ha fallado.",
            "No tiene que hacer nada. La app lo volverá a intentar automáticamente."),
        "server_unreached.cause.offline": .init(
            "No hay conexión con el servidor de licencias.",
            "Conéctese a internet. La app lo volverá a intentar automáticamente; también puede comprobar ahora."),
        "server_unreached.cause.cancelled": .init(
            "La solicitud al servidor de licencias se canceló.",
            "Conéctese a internet. La app lo volverá a intentar automáticamente; también puede comprobar ahora."),
        "server_unreached.cause.captive": .init(
            "En esta red hay que iniciar sesión primero.",
            "Inicie sesión en la red desde el navegador. La app lo volverá a intentar automáticamente; también puede comprobar ahora."
        ),
        "server_unreached.cause.busy": .init(
            "El servidor de licencias está ocupado.",
            "No tiene que hacer nada. La app lo volverá a intentar automáticamente."),
        "server_unreached.cause.untrusted": .init(
            "En esta red, la conexión con el servidor de licencias no es segura.",
            "Pruebe en otra red. Si no funciona, póngase en contacto con el proveedor."),
        "server_unreached.cause.unverified": .init(
            "La respuesta del servidor de licencias no se pudo verificar.",
            "Pruebe en otra red. Si no funciona, póngase en contacto con el proveedor."),
        "server_unreached.cause.misconfigured": .init(
            "El servidor de licencias no acepta la configuración de esta app.",
            "Póngase en contacto con el proveedor. La app lo volverá a intentar automáticamente."),
        "server_unreached.triedAt": .init(
            "La última solicitud al servidor de licencias, el {triedAt}, falló.",
            "Comprueba ahora o espera: la app también lo intenta automáticamente."),
        "server_unreached.until": .init(
            "El servidor de licencias pide a la app que espere hasta el {until}.",
            "Compruebe de nuevo entonces o espere: la app también lo intentará automáticamente."),
        "license_refused": .init(
            "El servidor de licencias ha rechazado la licencia.", "Pregunte el motivo al proveedor."),
        "license_in_use": .init(
            "Este dispositivo ya tiene una licencia válida.",
            "Para reemplazarla, abra de nuevo el enlace y confirme."),
        "not_looked_yet": .init(
            "La licencia aún no se ha comprobado desde que se abrió la app.", "Espere un momento."),
        "license_unknown": .init(
            "Este producto no tiene ninguna licencia con esa clave.",
            "Compruebe que la clave esté bien escrita y que sea de este producto."),
        "license_rekeyed": .init(
            "La licencia tiene una clave nueva; esta ya no es válida.",
            "Active la clave nueva. Si no la tiene, póngase en contacto con el proveedor."),
        "license_revoked": .init(
            "La licencia se ha revocado.",
            "Pregunte el motivo al proveedor. Una licencia revocada no se puede restablecer, pero el proveedor puede emitir una nueva."
        ),
        "license_revoked.cause.refund": .init(
            "La licencia se ha revocado porque el pago se ha reembolsado.",
            "Una licencia revocada no se puede restablecer, pero el proveedor puede emitir una nueva."
        ),
        "license_returned": .init(
            "La licencia se ha devuelto.",
            "Use otra clave de licencia. Una licencia devuelta no se puede restablecer."),
        "license_suspended": .init(
            "La licencia está suspendida.",
            "Pida al proveedor que la restablezca. Sus dispositivos siguen activados."),
        "license_suspended.cause.refund": .init(
            "La licencia está suspendida porque el pago se ha reembolsado.",
            "Pida al proveedor que la restablezca. Sus dispositivos siguen activados."),
        "license_suspended.cause.dispute": .init(
            "La licencia está suspendida porque el pago está en disputa. Una disputa rechazada pone fin a la suspensión automáticamente.",
            "Pida al proveedor que la restablezca. Sus dispositivos siguen activados."),
        "license_expired": .init(
            "La licencia ha caducado.", "Renueve la licencia y compruebe ahora. Este dispositivo sigue activado."),
        "license_expired.expiredAt": .init(
            "La licencia caducó el {expiredAt}.",
            "Renueve la licencia. Sus dispositivos siguen activados y volverán a funcionar enseguida."),
        "license_expired.mode.fallback": .init(
            "La licencia ha caducado. La app funciona de forma limitada.",
            "Para desbloquearlo todo de nuevo, renueve la licencia y compruebe ahora."),
        "license_in_grace": .init(
            "La licencia caducó el {expiredAt} y tiene un período de gracia hasta el {graceEndsAt}.",
            "Renueve la licencia antes de que termine ese período."),
        "license_stays_suspended": .init(
            "La licencia seguirá suspendida hasta que se restablezca. Su plazo sigue corriendo.",
            "Pida al proveedor que la restablezca."),
        "activation_released": .init(
            "La licencia no está activada en este dispositivo.",
            "Active de nuevo la clave de licencia en este dispositivo."),
        "activation_released_by_holder": .init(
            "Este dispositivo se desvinculó en la página de la licencia o desde otro dispositivo.",
            "Active de nuevo la clave de licencia aquí, o pida al proveedor que restablezca el dispositivo."),
        "activation_released_by_holder.releasedAt": .init(
            "Este dispositivo se desvinculó el {releasedAt} en la página de la licencia o desde otro dispositivo.",
            "Active de nuevo la clave de licencia aquí, o pida al proveedor que restablezca el dispositivo."),
        "activation_other_device": .init(
            "Esta activación pertenece a otro dispositivo.", "Active la clave de licencia en este dispositivo."),
        "activation_limit_reached": .init(
            "Todas las activaciones de esta licencia están en uso ({activations} de {activationLimit}).",
            "Desactive la licencia en un dispositivo que ya no use, o pida al proveedor que aumente el límite."),
        "activation_limit_reached.deviceChanges": .init(
            "Esta licencia se ha usado hace poco en demasiados dispositivos distintos ({devices}).",
            "Use uno de esos dispositivos, espere o póngase en contacto con el proveedor."),
        "self_release_off": .init(
            "No puede desvincular dispositivos de esta licencia desde otro dispositivo.",
            "Desactive la licencia en el propio dispositivo, o pida al proveedor que lo haga."),
        "self_release_cooldown": .init(
            "Hace poco se desvinculó un dispositivo; es pronto para desvincular otro.",
            "Inténtelo más tarde o póngase en contacto con el proveedor."),
        "self_release_used_up": .init(
            "Ya ha desvinculado todos los dispositivos permitidos este año ({perYear}).",
            "Inténtelo más tarde o póngase en contacto con el proveedor."),
        "error.not_stored": .init(
            "La licencia no se pudo guardar en este dispositivo.",
            "Libere espacio de almacenamiento, permita que la app escriba sus archivos e inténtelo de nuevo."),
        "error.not_read": .init(
            "La licencia de este dispositivo no se puede leer.",
            "Permita que la app lea sus archivos y vuelva a abrirla."),
        "error.misconfigured": .init(
            "La configuración de licencia de esta app no es válida.",
            "Actualice la app o póngase en contacto con el proveedor."),
        "error.no_device": .init(
            "Este dispositivo no se puede identificar.",
            "Pregunte al proveedor de la app cómo identificar este dispositivo."),
    ]

    static let views: [String: String] = [
        "notDetermined": "Licencia", "trial.one": "Prueba: queda 1 día", "trial": "Prueba: quedan {days} días",
        "licensed": "Licencia activa", "limited": "Licencia caducada", "freeTier": "Versión gratuita",
        "trialEnded": "Prueba terminada", "noLicense": "Sin licencia", "expired": "Licencia caducada",
        "clockSetBack": "Reloj atrasado", "invalid": "Licencia no válida", "startTrial": "Iniciar la prueba",
        "check": "Comprobar ahora", "deactivate": "Desactivar en este dispositivo", "key": "Clave de licencia",
        "activate": "Activar",
    ]
}
