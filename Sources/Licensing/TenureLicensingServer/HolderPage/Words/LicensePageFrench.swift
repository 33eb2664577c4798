import TenureServerKit

enum LicensePageFrench {
    static let words: [LicensePageText: Wording] = [
        .closedTitle: "Votre licence",
        .closedText: """
        Cette page montre votre licence et ses appareils. Elle ne s’ouvre qu’avec un lien à usage unique. Demandez \
        ce lien à l’assistance.
        """,
        .linkShows: "Il montre votre licence et ses appareils.",
        .matter: "licence",
        .yourLicense: "Votre licence",
        .plan: "Formule",
        .key: "Clé",
        .validUntil: "Fin de validité",
        .expiredOn: "Expirée le",
        .worksUntil: "Utilisable jusqu’au",
        .neverExpires: "Jamais",
        .starts: "Début",
        .startsWhenActivated: "à la première activation",
        .startsByThen: "à la première activation, au plus tard le {date}",
        .notActivated: "Pas encore activée",
        .active: "Active",
        .inGrace: "Délai de grâce",
        .expired: "Expirée",
        .suspended: "Suspendue",
        .revoked: "Révoquée",
        .returned: "Rendue",
        .testLicense: "Licence de test",
        .whyTitle: "Pourquoi elle ne fonctionne pas",
        .reducedTitle: "Ce qui fonctionne encore",
        .graceTitle: "Votre licence a expiré, mais fonctionne encore",
        .whatHelps: "Que faire",
        .whenItChanges: "Quand cela changera",
        .renew: "Renouveler",
        .statedReason: "La raison indiquée par {vendor}",
        .suspendedReason: "{vendor} a suspendu votre licence.",
        .suspendedHelp: "L’assistance peut vous en donner la raison. Vos appareils restent activés.",
        .settleHelp: "Réglez la question avec l’assistance. Vos appareils restent activés.",
        .suspendedChange: "Quand {vendor} rétablira la licence. Elle fonctionnera alors aussitôt.",
        .refundSuspends: "{vendor} a suspendu votre licence, car le paiement a été remboursé.",
        .disputeSuspends: "{vendor} a suspendu votre licence, car le paiement est contesté.",
        .disputeChange: """
        Quand la contestation sera tranchée en faveur de {vendor}, ou quand {vendor} rétablira la licence. Elle \
        fonctionnera alors aussitôt.
        """,
        .revokedReason: "{vendor} a révoqué votre licence.",
        .revokedHelp: "L’assistance peut vous en donner la raison. {vendor} peut émettre une nouvelle licence.",
        .revokedChange: "Jamais : une licence révoquée ne peut pas être rétablie.",
        .refundRevokes: "{vendor} a révoqué votre licence, car le paiement a été remboursé.",
        .returnedReason: "Votre licence a été rendue.",
        .returnedHelp: "Utilisez une autre clé de licence, ou demandez une nouvelle licence à l’assistance.",
        .expiredReason: "Votre licence a expiré le {date}.",
        .expiredAfterGraceReason: "Votre licence a expiré le {date}, et son délai de grâce a pris fin le {end}.",
        .graceReason: "Elle a expiré le {date} et fonctionne encore jusqu’au {end}.",
        .renewHelp: "Renouvelez-la. Vos appareils restent activés et fonctionneront de nouveau aussitôt.",
        .renewInTimeHelp: "Renouvelez-la avant, et rien ne changera sur vos appareils.",
        .askToRenewHelp: "Demandez à l’assistance de la renouveler. Vos appareils restent activés.",
        .reducedMode: "{product} fonctionne encore, de façon limitée.",
        .renewChange: "Dès qu’elle sera renouvelée.",
        .otherHelp: "Contactez l’assistance.",
        .otherChange: "Quand {vendor} modifiera la licence.",
        .dateChange: "Automatiquement le {date}.",
        .noDevice: "Votre licence n’est active sur aucun appareil.",
        .noDeviceOfLimit: .counted(
            one: "Votre licence n’est active sur aucun appareil. Vous pouvez l’utiliser sur 1 appareil.",
            other: """
                Votre licence n’est active sur aucun appareil. Vous pouvez l’utiliser sur {count} appareils au maximum.
                """),
        .devicesInUse: .counted(
            one: "Appareil utilisé : {used} sur 1.", other: "Appareils utilisés : {used} sur {count}."),
        .devicesActive: .counted(
            one: "Votre licence est active sur 1 appareil.",
            other: "Votre licence est active sur {count} appareils."),
        .devicesHidden: .counted(
            one: "1 autre appareil n’est pas affiché.", other: "{count} autres appareils ne sont pas affichés."),
        .limitReached: "Pour le moment, votre licence ne peut pas être activée sur un autre appareil.",
        .releaseToActivate: "Pour en activer un autre, dissociez un appareil que vous n’utilisez plus.",
        .askToRelease: "Demandez à l’assistance de dissocier un appareil que vous n’utilisez plus.",
        .devicesUsedUp: """
        Votre licence a été utilisée sur {devices} appareils différents ces {days} derniers jours. Vous pourrez en \
        activer un autre à partir du {date}.
        """,
        .unnamedDevice: "Appareil sans nom",
        .activeSince: "Actif depuis le",
        .releaseWarning: """
        Vous pourrez aussitôt activer un autre appareil. Sur l’appareil dissocié, {product} cessera de fonctionner \
        à la prochaine connexion à Internet. Seule l’assistance peut annuler cette action.
        """,
        .releaseOff: """
        Seule l’assistance peut dissocier les appareils de cette licence. Écrivez-lui en précisant l’appareil.
        """,
        .releaseStopped: "Tant que la licence ne fonctionne pas, ses appareils ne peuvent pas être modifiés ici.",
        .noSuchDevice: "La licence n’est pas active sur cet appareil.",
    ]
}
