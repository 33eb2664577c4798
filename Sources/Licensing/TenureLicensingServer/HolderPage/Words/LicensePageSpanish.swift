import TenureServerKit

enum LicensePageSpanish {
    static let words: [LicensePageText: Wording] = [
        .closedTitle: "Su licencia",
        .closedText: """
        Esta página muestra su licencia y sus dispositivos. Solo se abre con un enlace de un solo uso. Pida un \
        enlace a soporte.
        """,
        .linkShows: "Muestra su licencia y sus dispositivos.",
        .matter: "licencia",
        .yourLicense: "Su licencia",
        .plan: "Plan",
        .key: "Clave",
        .validUntil: "Válida hasta",
        .expiredOn: "Caducó el",
        .worksUntil: "Funciona hasta",
        .neverExpires: "No caduca",
        .starts: "Empieza",
        .startsWhenActivated: "con la primera activación",
        .startsByThen: "con la primera activación, a más tardar el {date}",
        .notActivated: "Aún sin activar",
        .active: "Activa",
        .inGrace: "Período de gracia",
        .expired: "Caducada",
        .suspended: "Suspendida",
        .revoked: "Revocada",
        .returned: "Devuelta",
        .testLicense: "Licencia de prueba",
        .whyTitle: "Por qué no funciona",
        .reducedTitle: "Lo que sigue funcionando",
        .graceTitle: "Su licencia ha caducado, pero aún funciona",
        .whatHelps: "Qué puede hacer",
        .whenItChanges: "Cuándo cambiará",
        .renew: "Renovar",
        .statedReason: "El motivo según {vendor}",
        .suspendedReason: "{vendor} ha suspendido su licencia.",
        .suspendedHelp: "Pregunte el motivo a soporte. Sus dispositivos siguen activados.",
        .settleHelp: "Resuélvalo con soporte. Sus dispositivos siguen activados.",
        .suspendedChange: "Cuando {vendor} la restablezca. Entonces volverá a funcionar enseguida.",
        .refundSuspends: "{vendor} ha suspendido su licencia porque el pago se ha reembolsado.",
        .disputeSuspends: "{vendor} ha suspendido su licencia porque el pago está en disputa.",
        .disputeChange: """
        Cuando la disputa se resuelva a favor de {vendor}, o cuando {vendor} restablezca la licencia. Entonces \
        volverá a funcionar enseguida.
        """,
        .revokedReason: "{vendor} ha revocado su licencia.",
        .revokedHelp: "Pregunte el motivo a soporte. {vendor} puede emitir una licencia nueva.",
        .revokedChange: "Nunca: una licencia revocada no se puede restablecer.",
        .refundRevokes: "{vendor} ha revocado su licencia porque el pago se ha reembolsado.",
        .returnedReason: "Su licencia se ha devuelto.",
        .returnedHelp: "Use otra clave de licencia o pida una licencia nueva a soporte.",
        .expiredReason: "Su licencia caducó el {date}.",
        .expiredAfterGraceReason: "Su licencia caducó el {date} y su período de gracia terminó el {end}.",
        .graceReason: "Caducó el {date} y seguirá funcionando hasta el {end}.",
        .renewHelp: "Renuévela. Sus dispositivos siguen activados y volverán a funcionar enseguida.",
        .renewInTimeHelp: "Renuévela antes y nada cambiará en sus dispositivos.",
        .askToRenewHelp: "Pida a soporte que la renueve. Sus dispositivos siguen activados.",
        .reducedMode: "{product} sigue funcionando de forma limitada.",
        .renewChange: "En cuanto se renueve.",
        .otherHelp: "Consulte a soporte.",
        .otherChange: "Cuando {vendor} lo cambie.",
        .dateChange: "Automáticamente el {date}.",
        .noDevice: "Su licencia no está activa en ningún dispositivo.",
        .noDeviceOfLimit: .counted(
            one: "Su licencia no está activa en ningún dispositivo. Puede usarla en 1 dispositivo.",
            other:
                "Su licencia no está activa en ningún dispositivo. Puede usarla en un máximo de {count} dispositivos."
        ),
        .devicesInUse: .counted(
            one: "{used} de 1 dispositivo en uso.", other: "{used} de {count} dispositivos en uso."),
        .devicesActive: .counted(
            one: "Su licencia está activa en 1 dispositivo.",
            other: "Su licencia está activa en {count} dispositivos."),
        .devicesHidden: .counted(
            one: "Hay 1 dispositivo más que no se muestra.",
            other: "Hay {count} dispositivos más que no se muestran."),
        .limitReached: "Por el momento, su licencia no se puede activar en otro dispositivo.",
        .releaseToActivate: "Para activar otro, desvincule un dispositivo que ya no use.",
        .askToRelease: "Pida a soporte que desvincule un dispositivo que ya no use.",
        .devicesUsedUp: """
        Su licencia se ha usado en {devices} dispositivos distintos en los últimos {days} días. Podrá activar otro \
        a partir del {date}.
        """,
        .unnamedDevice: "Dispositivo sin nombre",
        .activeSince: "Activo desde",
        .releaseWarning: """
        Podrá activar otro dispositivo enseguida. En este dispositivo, {product} dejará de funcionar la próxima \
        vez que se conecte a internet. Solo soporte puede deshacerlo.
        """,
        .releaseOff: """
        Solo soporte puede desvincular los dispositivos de esta licencia. Escriba a soporte e indique el dispositivo.
        """,
        .releaseStopped: "Mientras la licencia no funcione, sus dispositivos no se pueden cambiar aquí.",
        .noSuchDevice: "La licencia no está activa en ese dispositivo.",
    ]
}
