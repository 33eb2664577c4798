import TenureServerKit

enum ResolutionPageSpanish {
    static let words: [ResolutionPageText: Wording] = [
        .matter: "una app no se abre",
        .linkShows: "Muestra el estado de su cuenta en {marketplace}.",
        .publicTitle: "¿No se abre {app}?",
        .publicTitleUnknown: "¿No se abre una app?",
        .publicLead: "Normalmente se vuelve a abrir después de abrir la app de la tienda.",
        .sessionEnded: "La sesión se ha cerrado al cabo de media hora. Inicie sesión de nuevo.",
        .theApp: "la app",
        .withdrawnMark: "Retirada",
        .withdrawnTitle: "Esta app ya no se ofrece",
        .withdrawnEnds: """
        El proveedor la ha retirado y ya no renueva sus licencias. Cuando caduquen, la app dejará de abrirse.
        """,
        .withdrawnStays: """
        El proveedor la ha retirado. Las apps ya instaladas siguen funcionando y sus licencias se siguen renovando.
        """,
        .firstTitle: "Qué probar primero",
        .firstConnect: "Compruebe que el dispositivo esté conectado a internet.",
        .firstReopen: "Vuelva a abrir {marketplace} después de un minuto.",
        .firstOpen: "Abra la app {marketplace}. Renueva las licencias que están a punto de caducar.",
        .firstStart: "Espere un minuto y vuelva a abrir {app}.",
        .showApp: "Ver {app} en {marketplace}",
        .statusTitle: "Ver el estado de sus dispositivos",
        .whyTitle: "Por qué una app deja de abrirse",
        .whyText: """
        Cada dispositivo tiene una licencia para {app} y la renueva automáticamente antes de que caduque. Si no lo \
        consigue, la app no se abre hasta que se renueve la licencia.
        """,
        .whyExpired: "La licencia ha caducado",
        .whyExpiredText: "El dispositivo estaba apagado o sin conexión cuando tocaba renovarla.",
        .whyEnded: "Su suscripción ha terminado",
        .whyEndedText: """
        Solo se emiten licencias mientras dura la suscripción. Renuévela para que la app vuelva a abrirse.
        """,
        .whyLimit: "Demasiados dispositivos",
        .whyLimitText: "Una app puede tener un límite de dispositivos. Desvincule uno para usar otro.",
        .whyLimitCount: .counted(
            one: "Puede usar la app en un solo dispositivo a la vez. Desvincúlelo para usar otro.",
            other: "Puede usar la app en {count} dispositivos a la vez. Desvincule uno para usar otro."),
        .whyStopped: "El proveedor ha bloqueado la licencia",
        .whyStoppedText: "Una licencia se puede suspender o revocar. Pregunte el motivo a soporte.",
        .yourApps: "Sus apps",
        .appOnDevices: "{app} en sus dispositivos",
        .showAll: "Ver todas sus apps",
        .noApps: "Esta cuenta aún no tiene apps.",
        .noDevice: "Por el momento, ningún dispositivo tiene licencia.",
        .allFine: "Todo está en orden.",
        .needAttention: .counted(
            one: "Una licencia requiere su atención.", other: "{count} licencias requieren su atención."),
        .expireSoon: .counted(one: "Una licencia caduca pronto.", other: "{count} licencias caducan pronto."),
        .devicesInUse: .counted(
            one: "{used} de 1 dispositivo en uso.", other: "{used} de {count} dispositivos en uso."),
        .roomNone: "Desvincule uno para usar otro.",
        .room: .counted(one: "Puede usar uno más.", other: "Puede usar {count} más."),
        .olderHidden: .counted(
            one: "Hay 1 licencia anterior que no se muestra.",
            other: "Hay {count} licencias anteriores que no se muestran."),
        .noLicense: "Ningún dispositivo tiene licencia",
        .notYours: """
        Esta cuenta no tiene {app}. Consígala en la app de la tienda o inicie sesión con la cuenta que la tiene.
        """,
        .accessEndedOn: "El proveedor puso fin al acceso de esta cuenta el {date}.",
        .subscriptionEndedOn: "Su suscripción terminó el {date}. Renuévela en la app de la tienda.",
        .canUse: """
        Puede usar {app} con esta cuenta. Instálela desde la app de la tienda para que el dispositivo obtenga una \
        licencia.
        """,
        .show: "Ver {app}",
        .device: "Dispositivo {code}",
        .version: "Versión {version}",
        .licensedSince: "Con licencia desde",
        .lastRenewed: "Última renovación",
        .renewalRefused: "Renovación rechazada",
        .releasedAt: "Desvinculado",
        .stoppedAt: "Bloqueado",
        .expiredAt: "Caducó",
        .expiresAt: "Caduca",
        .never: "nunca",
        .subscriptionEndedAt: "Fin de la suscripción",
        .accessEndedAt: "Fin del acceso",
        .otherDevices: "Otros dispositivos",
        .devicesAllowed: "Dispositivos permitidos",
        .otherLimit: "Además, la app ya está en el máximo de otros dispositivos.",
        .otherWithdrawn: "Además, la app se ha retirado.",
        .otherTooLate: "Además, la licencia caducó hace demasiado tiempo para renovarla.",
        .otherSubscription: "Además, su suscripción ha terminado.",
        .otherVendor: "Además, hay un problema por parte del proveedor.",
        .whatToDo: "Qué puede hacer",
        .renewNow: "Renovar ahora",
        .releaseNow: "Sí, desvincular",
        .releaseWarningExpired: """
        La licencia ha caducado y ya no cuenta para su límite. Si desvincula el dispositivo, no se podrá renovar, y \
        no se puede deshacer. Para volver a usar {app} en este dispositivo, instálela de nuevo.
        """,
        .releaseWarning: """
        Podrá usar {app} enseguida en otro dispositivo. En este dispositivo, la app dejará de abrirse, y no se puede deshacer. \
        Para volver a usarla aquí, instálela de nuevo.
        """,
        .releaseWarningUntil: """
        Podrá usar {app} enseguida en otro dispositivo. En este dispositivo, dejará de abrirse a más tardar el {date}, y \
        no se puede deshacer. Para volver a usarla aquí, instálela de nuevo.
        """,
        .opens: "Se abre",
        .opensForNow: "Aún se abre",
        .closed: "No se abre",
        .released: "Desvinculado",
        .stopped: "Bloqueado",
        .fine: "Todo está en orden",
        .expired: "La licencia ha caducado",
        .renewalFailed: "La renovación ha fallado",
        .subscriptionEnded: "Su suscripción ha terminado",
        .accessEnded: "El acceso ha terminado",
        .notGranted: "Esta cuenta no tiene la app",
        .deviceLimit: "Demasiados dispositivos",
        .withdrawn: "La app se ha retirado",
        .tooLate: "La licencia caducó hace mucho tiempo",
        .suspended: "La licencia está suspendida",
        .revoked: "La licencia se ha revocado",
        .deviceReleased: "Este dispositivo se ha desvinculado",
        .vendorSide: "La licencia no se puede renovar por el momento",
        .fineText: "El dispositivo renueva su licencia automáticamente cuando tiene conexión.",
        .perpetualText: "La licencia de este dispositivo no caduca nunca.",
        .expiredText: """
        El dispositivo no renovó su licencia a tiempo. Ocurre cuando ese día estaba apagado o sin conexión, o no \
        pudo conectarse al servidor. Ahora puede obtener una licencia nueva.
        """,
        .renewalFailedText: "El dispositivo pidió una renovación y se rechazó. La causa ya se ha resuelto.",
        .subscriptionEndedText: "Solo se emiten licencias mientras dura su suscripción.",
        .accessEndedText: "El proveedor ha puesto fin al acceso de esta cuenta a {app}.",
        .notGrantedText: "{app} nunca se añadió a esta cuenta o pertenece a otra cuenta.",
        .deviceLimitText: "La app ya está en el máximo de otros dispositivos de esta cuenta.",
        .deviceLimitCount: .counted(
            one: """
                Puede usar {app} en un solo dispositivo a la vez. Después de que caducara la licencia de este \
                dispositivo, otro dispositivo obtuvo una.
                """,
            other: """
                Puede usar {app} en {count} dispositivos a la vez. Después de que caducara la licencia de este \
                dispositivo, otro dispositivo obtuvo una.
                """),
        .withdrawnText: "{app} ya no se ofrece y sus licencias ya no se renuevan.",
        .tooLateText: """
        La licencia lleva tanto tiempo sin renovarse que este dispositivo necesita una nueva.
        """,
        .suspendedText: "El proveedor ha suspendido la licencia de este dispositivo.",
        .revokedText: "El proveedor ha revocado la licencia de este dispositivo de forma definitiva.",
        .deviceReleasedText: "Este dispositivo se ha desvinculado para que pueda usar otro.",
        .vendorSideText: "Hay un problema por parte del proveedor. No es culpa suya.",
        .expiredHelp: """
        Conecte el dispositivo a internet, abra en él la app de la tienda y vuelva a abrir {app} después de un minuto.
        """,
        .subscriptionHelp: "Renueve su suscripción en la app de la tienda. Después, {app} se volverá a abrir.",
        .accessHelp: """
        Vuelva a conseguir {app} en la app de la tienda, o escriba a soporte si cree que se trata de un error.
        """,
        .notGrantedHelp: """
        Consiga {app} con esta cuenta en la app de la tienda, o inicie sesión con la cuenta que la tiene.
        """,
        .deviceLimitHelp: "Desvincule un dispositivo que ya no use y después toque aquí «Renovar ahora».",
        .withdrawnHelp: "Pregunte a soporte si volverá.",
        .tooLateHelp: "Vuelva a instalar {app} desde la app de la tienda. No hace falta borrarla antes.",
        .suspendedHelp: """
        Pregunte el motivo a soporte. Cuando se restablezca la licencia, abra la app de la tienda para renovarla.
        """,
        .revokedHelp: "Pregunte el motivo a soporte, que puede volver a darle acceso a {app}.",
        .releasedHelp: "Para volver a usar {app} en este dispositivo, instálela desde la app de la tienda.",
        .vendorHelp: "Inténtelo de nuevo mañana. Si el problema continúa, escriba a soporte.",
        .changesOn: "Esto cambiará automáticamente el {date}.",
        .stopsOn: "Si no hace nada, {app} dejará de abrirse el {date}.",
    ]
}
