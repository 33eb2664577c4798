import TenureServerKit

enum ResolutionPageFrench {
    static let words: [ResolutionPageText: Wording] = [
        .matter: "une app ne s’ouvre pas",
        .linkShows: "Il montre l’état de votre compte sur {marketplace}.",
        .publicTitle: "{app} ne s’ouvre pas ?",
        .publicTitleUnknown: "Une app ne s’ouvre pas ?",
        .publicLead: "En général, elle s’ouvre de nouveau une fois que vous avez ouvert l’app de la place de marché.",
        .sessionEnded: "Votre session s’est fermée au bout d’une demi-heure. Veuillez vous reconnecter.",
        .theApp: "l’app",
        .withdrawnMark: "Retirée",
        .withdrawnTitle: "Cette app n’est plus proposée",
        .withdrawnEnds: """
        L’éditeur l’a retirée et ne renouvelle plus ses licences. Quand elles auront expiré, l’app ne s’ouvrira plus.
        """,
        .withdrawnStays: """
        L’éditeur l’a retirée. Les apps déjà installées continuent de fonctionner, et leurs licences sont toujours \
        renouvelées.
        """,
        .firstTitle: "À essayer d’abord",
        .firstConnect: "Vérifiez que l’appareil est connecté à Internet.",
        .firstReopen: "Rouvrez {marketplace} au bout d’une minute.",
        .firstOpen: "Ouvrez l’app {marketplace}. Elle renouvelle les licences qui vont bientôt expirer.",
        .firstStart: "Attendez une minute, puis relancez {app}.",
        .showApp: "Voir {app} sur {marketplace}",
        .statusTitle: "Voir l’état de vos appareils",
        .whyTitle: "Pourquoi une app ne s’ouvre plus",
        .whyText: """
        Chaque appareil a une licence pour {app}. Il la renouvelle automatiquement avant qu’elle n’expire. S’il n’y \
        parvient pas, l’app ne s’ouvre plus tant que la licence n’est pas renouvelée.
        """,
        .whyExpired: "La licence a expiré",
        .whyExpiredText: "L’appareil était éteint ou hors ligne au moment du renouvellement.",
        .whyEnded: "Votre abonnement est terminé",
        .whyEndedText: """
        Les licences ne sont délivrées que pendant l’abonnement. Renouvelez-le pour que l’app s’ouvre de nouveau.
        """,
        .whyLimit: "Trop d’appareils",
        .whyLimitText: """
        Le nombre d’appareils peut être limité. Dissociez-en un pour en utiliser un autre.
        """,
        .whyLimitCount: .counted(
            one: """
                Vous pouvez utiliser l’app sur un seul appareil à la fois. Dissociez-le pour en utiliser un autre.
                """,
            other: """
                Vous pouvez utiliser l’app sur {count} appareils à la fois. Dissociez-en un pour en utiliser un autre.
                """),
        .whyStopped: "L’éditeur a bloqué la licence",
        .whyStoppedText: """
        Une licence peut être suspendue ou révoquée. L’assistance peut vous en donner la raison.
        """,
        .yourApps: "Vos apps",
        .appOnDevices: "{app} sur vos appareils",
        .showAll: "Voir toutes vos apps",
        .noApps: "Ce compte n’a pas encore d’app.",
        .noDevice: "Aucun appareil n’a de licence pour le moment.",
        .allFine: "Tout va bien.",
        .needAttention: .counted(
            one: "Une licence demande votre attention.", other: "{count} licences demandent votre attention."),
        .expireSoon: .counted(one: "Une licence expire bientôt.", other: "{count} licences expirent bientôt."),
        .devicesInUse: .counted(
            one: "Appareil utilisé : {used} sur 1.", other: "Appareils utilisés : {used} sur {count}."),
        .roomNone: "Dissociez-en un pour en utiliser un autre.",
        .room: .counted(
            one: "Vous pouvez encore en utiliser un.", other: "Vous pouvez encore en utiliser {count}."),
        .olderHidden: .counted(
            one: "1 licence plus ancienne n’est pas affichée.",
            other: "{count} licences plus anciennes ne sont pas affichées."),
        .noLicense: "Aucun appareil n’a de licence",
        .notYours: """
        Ce compte n’a pas {app}. Obtenez l’app dans l’app de la place de marché, ou connectez-vous avec le compte \
        auquel elle appartient.
        """,
        .accessEndedOn: "L’éditeur a mis fin à l’accès de ce compte le {date}.",
        .subscriptionEndedOn: """
        Votre abonnement a pris fin le {date}. Renouvelez-le dans l’app de la place de marché.
        """,
        .canUse: """
        Vous pouvez utiliser {app} avec ce compte. Installez l’app depuis l’app de la place de marché pour que \
        l’appareil obtienne une licence.
        """,
        .show: "Voir {app}",
        .device: "Appareil {code}",
        .version: "Version {version}",
        .licensedSince: "Licence depuis le",
        .lastRenewed: "Dernier renouvellement",
        .renewalRefused: "Renouvellement refusé",
        .releasedAt: "Dissocié",
        .stoppedAt: "Bloqué",
        .expiredAt: "Expirée le",
        .expiresAt: "Expiration",
        .never: "jamais",
        .subscriptionEndedAt: "Fin de l’abonnement",
        .accessEndedAt: "Fin de l’accès",
        .otherDevices: "Autres appareils",
        .devicesAllowed: "Appareils autorisés",
        .otherLimit: "De plus, l’app est déjà utilisée sur le nombre maximal d’autres appareils.",
        .otherWithdrawn: "De plus, l’app a été retirée.",
        .otherTooLate: "De plus, la licence a expiré depuis trop longtemps pour être renouvelée.",
        .otherSubscription: "De plus, votre abonnement est terminé.",
        .otherVendor: "De plus, il y a un problème du côté de l’éditeur.",
        .whatToDo: "Que faire",
        .renewNow: "Renouveler",
        .releaseNow: "Oui, dissocier",
        .releaseWarningExpired: """
        La licence a expiré et ne compte plus dans votre limite. Une fois l’appareil dissocié, elle ne pourra plus \
        être renouvelée, et c’est irréversible. Pour utiliser de nouveau {app} sur cet appareil, réinstallez l’app.
        """,
        .releaseWarning: """
        Vous pourrez aussitôt utiliser {app} sur un autre appareil. Sur l’appareil dissocié, l’app ne s’ouvrira plus, et c’est \
        irréversible. Pour y utiliser de nouveau l’app, réinstallez-la.
        """,
        .releaseWarningUntil: """
        Vous pourrez aussitôt utiliser {app} sur un autre appareil. Sur l’appareil dissocié, elle ne s’ouvrira plus, au plus \
        tard le {date}, et c’est irréversible. Pour y utiliser de nouveau l’app, réinstallez-la.
        """,
        .opens: "S’ouvre",
        .opensForNow: "S’ouvre encore",
        .closed: "Ne s’ouvre pas",
        .released: "Dissocié",
        .stopped: "Bloqué",
        .fine: "Tout va bien",
        .expired: "La licence a expiré",
        .renewalFailed: "Le renouvellement a échoué",
        .subscriptionEnded: "Votre abonnement est terminé",
        .accessEnded: "L’accès a pris fin",
        .notGranted: "Ce compte n’a pas l’app",
        .deviceLimit: "Trop d’appareils",
        .withdrawn: "L’app a été retirée",
        .tooLate: "La licence a expiré depuis longtemps",
        .suspended: "La licence est suspendue",
        .revoked: "La licence a été révoquée",
        .deviceReleased: "Cet appareil a été dissocié",
        .vendorSide: "La licence ne peut pas être renouvelée pour le moment",
        .fineText: "L’appareil renouvelle automatiquement sa licence quand il est en ligne.",
        .perpetualText: "La licence de cet appareil n’expire jamais.",
        .expiredText: """
        L’appareil n’a pas renouvelé sa licence à temps. C’est le cas s’il était éteint ou hors ligne ce jour-là, ou \
        s’il n’a pas pu joindre le serveur. Vous pouvez obtenir une nouvelle licence maintenant.
        """,
        .renewalFailedText: """
        L’appareil a demandé un renouvellement, qui a été refusé. La cause du refus a disparu depuis.
        """,
        .subscriptionEndedText: "Les licences ne sont délivrées que pendant votre abonnement.",
        .accessEndedText: "L’éditeur a mis fin à l’accès de ce compte à {app}.",
        .notGrantedText: "L’app {app} n’a jamais été ajoutée à ce compte, ou appartient à un autre compte.",
        .deviceLimitText: "L’app est déjà utilisée sur le nombre maximal d’autres appareils de ce compte.",
        .deviceLimitCount: .counted(
            one: """
                Vous pouvez utiliser {app} sur un seul appareil à la fois. Après l’expiration de la licence de cet \
                appareil, un autre appareil en a reçu une.
                """,
            other: """
                Vous pouvez utiliser {app} sur {count} appareils à la fois. Après l’expiration de la licence de cet \
                appareil, un autre appareil en a reçu une.
                """),
        .withdrawnText: "L’app {app} n’est plus proposée, et ses licences ne sont plus renouvelées.",
        .tooLateText: """
        La licence n’a pas été renouvelée depuis si longtemps que cet appareil a besoin d’une nouvelle licence.
        """,
        .suspendedText: "L’éditeur a suspendu la licence de cet appareil.",
        .revokedText: "L’éditeur a révoqué définitivement la licence de cet appareil.",
        .deviceReleasedText: "Cet appareil a été dissocié pour que vous puissiez en utiliser un autre.",
        .vendorSideText: "Il y a un problème du côté de l’éditeur. Vous n’y êtes pour rien.",
        .expiredHelp: """
        Connectez l’appareil à Internet, ouvrez-y l’app de la place de marché, puis relancez {app} au bout d’une minute.
        """,
        .subscriptionHelp: """
        Renouvelez votre abonnement dans l’app de la place de marché. {app} s’ouvrira alors de nouveau.
        """,
        .accessHelp: """
        Obtenez de nouveau {app} dans l’app de la place de marché, ou écrivez à l’assistance si vous pensez que \
        c’est une erreur.
        """,
        .notGrantedHelp: """
        Obtenez {app} avec ce compte dans l’app de la place de marché, ou connectez-vous avec le compte auquel l’app \
        appartient.
        """,
        .deviceLimitHelp: """
        Dissociez un appareil que vous n’utilisez plus, puis touchez ici « Renouveler ».
        """,
        .withdrawnHelp: "Demandez à l’assistance si elle reviendra.",
        .tooLateHelp: """
        Réinstallez {app} depuis l’app de la place de marché. Vous n’avez pas besoin de supprimer l’app avant.
        """,
        .suspendedHelp: """
        L’assistance peut vous en donner la raison. Une fois la licence rétablie, ouvrez l’app de la place de marché \
        pour la renouveler.
        """,
        .revokedHelp: "L’assistance peut vous en donner la raison et vous rendre l’accès à {app}.",
        .releasedHelp: """
        Pour utiliser de nouveau {app} sur cet appareil, installez l’app depuis l’app de la place de marché.
        """,
        .vendorHelp: "Réessayez demain. Si le problème persiste, écrivez à l’assistance.",
        .changesOn: "Cela changera automatiquement le {date}.",
        .stopsOn: "Si vous ne faites rien, {app} ne s’ouvrira plus à partir du {date}.",
    ]
}
