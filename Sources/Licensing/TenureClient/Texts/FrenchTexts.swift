enum FrenchTexts {
    static let reasons: [String: TextPair] = [
        "lease_holds": .init(
            "La licence a été confirmée le {issuedAt}.",
            "Vous n’avez rien à faire. La licence sera confirmée de nouveau automatiquement quand vous serez en ligne."),
        "lease_lapsed": .init(
            "La licence a été confirmée pour la dernière fois le {issuedAt} et était valable jusqu’au {expiresAt}.",
            "Connectez-vous à Internet. L’app confirmera la licence automatiquement ; vous pouvez aussi vérifier maintenant."
        ),
        "lease_unverifiable": .init(
            "La confirmation enregistrée de la licence ne peut pas être vérifiée.",
            "Connectez-vous à Internet. L’app confirmera la licence automatiquement ; vous pouvez aussi vérifier maintenant."
        ),
        "lease_missing": .init(
            "La licence n’a pas encore été confirmée sur cet appareil.",
            "Connectez-vous à Internet. L’app confirmera la licence automatiquement ; vous pouvez aussi vérifier maintenant."
        ),
        "record_corrupted": .init(
            "Les données de licence de cet appareil sont endommagées.",
            "Saisissez de nouveau la clé de licence. Si vous n’en avez pas, connectez-vous à Internet et vérifiez maintenant."
        ),
        "record_corrupted.foundAt": .init(
            "Les données de licence présentes ici jusqu’au {foundAt} sont endommagées et ne sont pas utilisées.",
            "Saisissez de nouveau la clé de licence. Cela ne compte pas comme une deuxième activation."),
        "record_foreign": .init(
            "Les données de licence viennent d’un autre appareil ou appartiennent à un autre produit.",
            "Activez la clé de licence sur cet appareil. Si vous n’en avez pas, connectez-vous à Internet et vérifiez maintenant."
        ),
        "record_foreign.foundAt": .init(
            "Les données de licence présentes ici jusqu’au {foundAt} ne sont pas utilisées. Elles viennent d’un autre appareil, ou l’identifiant de cet appareil a changé.",
            "Activez la clé de licence sur cet appareil."),
        "record_unreadable": .init(
            "Les données de licence ne peuvent pas être lues.",
            "Autorisez l’app à lire ses fichiers, puis relancez-la."),
        "record_unwritable": .init(
            "Les données de licence ne peuvent pas être enregistrées.",
            "Autorisez l’app à écrire ses fichiers et libérez de l’espace de stockage."),
        "clock_set_back": .init(
            "L’horloge de cet appareil indique le {clock}, mais nous sommes au moins le {atLeast}.",
            "Réglez l’horloge, ou connectez-vous à Internet et vérifiez maintenant."),
        "trial_running": .init(
            "L’essai se termine le {endsAt}.", "Activez une clé de licence pour continuer à utiliser l’app ensuite."),
        "trial_ended": .init("L’essai s’est terminé le {endedAt}.", "Activez une clé de licence."),
        "trial_not_started": .init(
            "Il n’y a pas de licence, et l’essai n’a pas encore commencé.",
            "Commencez l’essai, ou activez une clé de licence."),
        "trial_not_offered": .init(
            "Il n’y a pas de licence, et le produit n’a pas d’essai.", "Activez une clé de licence."),
        "free_tier": .init(
            "Le produit a une version gratuite.", "Activez une clé de licence pour tout débloquer."),
        "no_free_tier": .init("Le produit n’a pas de version gratuite.", "Activez une clé de licence."),
        "not_connected_yet": .init(
            "Connectez-vous une fois pour voir ce qui est inclus.",
            "Connectez-vous à Internet et vérifiez maintenant, ou activez une clé de licence."),
        "product_terms_unknown": .init(
            "L’app ne sait pas encore ce que vous pouvez utiliser sans licence.",
            "Connectez-vous à Internet et vérifiez maintenant, ou activez une clé de licence."),
        "server_unreached": .init(
            "La demande au serveur de licences a échoué.",
            "Vous n’avez rien à faire. L’app réessaiera automatiquement."),
        "server_unreached.cause.offline": .init(
            "Le serveur de licences est injoignable.",
            "Connectez-vous à Internet. L’app réessaiera automatiquement ; vous pouvez aussi vérifier maintenant."),
        "server_unreached.cause.cancelled": .init(
            "La demande au serveur de licences a été annulée.",
            "Connectez-vous à Internet. L’app réessaiera automatiquement ; vous pouvez aussi vérifier maintenant."),
        "server_unreached.cause.captive": .init(
            "Sur ce réseau, vous devez d’abord vous identifier.",
            "Identifiez-vous dans le navigateur. L’app réessaiera automatiquement ; vous pouvez aussi vérifier maintenant."
        ),
        "server_unreached.cause.busy": .init(
            "Le serveur de licences est surchargé.", "Vous n’avez rien à faire. L’app réessaiera automatiquement."),
        "server_unreached.cause.untrusted": .init(
            "Sur ce réseau, la connexion au serveur de licences n’est pas sûre.",
            "Essayez sur un autre réseau. Si cela ne suffit pas, contactez l’éditeur."),
        "server_unreached.cause.unverified": .init(
            "La réponse du serveur de licences n’a pas pu être vérifiée.",
            "Essayez sur un autre réseau. Si cela ne suffit pas, contactez l’éditeur."),
        "server_unreached.cause.misconfigured": .init(
            "Le serveur de licences n’accepte pas les réglages de cette app.",
            "Contactez l’éditeur. L’app réessaiera automatiquement."),
        "server_unreached.triedAt": .init(
            "La dernière requête au serveur de licences, le {triedAt}, a échoué.",
            "Vérifiez maintenant ou patientez : l’app réessaie aussi automatiquement."),
        "server_unreached.until": .init(
            "Le serveur de licences demande à l’app d’attendre jusqu’au {until}.",
            "Vérifiez de nouveau à ce moment-là, ou attendez : l’app essaiera aussi automatiquement."),
        "license_refused": .init(
            "Le serveur de licences a refusé la licence.", "Demandez la raison à l’éditeur."),
        "license_in_use": .init(
            "Cet appareil a déjà une licence valable.", "Pour la remplacer, rouvrez le lien et confirmez."),
        "not_looked_yet": .init(
            "La licence n’a pas encore été vérifiée depuis le lancement de l’app.", "Patientez un instant."),
        "license_unknown": .init(
            "Aucune licence de ce produit n’a cette clé.",
            "Vérifiez que la clé ne contient pas de faute de frappe et qu’elle est bien celle de ce produit."),
        "license_rekeyed": .init(
            "La licence a une nouvelle clé ; celle-ci n’est plus valable.",
            "Activez la nouvelle clé. Si vous ne l’avez pas, contactez l’éditeur."),
        "license_revoked": .init(
            "La licence a été révoquée.",
            "Demandez la raison à l’éditeur. Une licence révoquée ne peut pas être rétablie, mais l’éditeur peut en émettre une nouvelle."
        ),
        "license_revoked.cause.refund": .init(
            "La licence a été révoquée, car le paiement a été remboursé.",
            "Une licence révoquée ne peut pas être rétablie, mais l’éditeur peut en émettre une nouvelle."
        ),
        "license_returned": .init(
            "La licence a été rendue.",
            "Utilisez une autre clé de licence. Une licence rendue ne peut pas être rétablie."),
        "license_suspended": .init(
            "La licence est suspendue.",
            "Demandez à l’éditeur de la rétablir. Vos appareils restent activés."),
        "license_suspended.cause.refund": .init(
            "La licence est suspendue, car le paiement a été remboursé.",
            "Demandez à l’éditeur de la rétablir. Vos appareils restent activés."),
        "license_suspended.cause.dispute": .init(
            "La licence est suspendue, car le paiement est contesté. Une contestation rejetée met fin à la suspension automatiquement.",
            "Demandez à l’éditeur de la rétablir. Vos appareils restent activés."),
        "license_expired": .init(
            "La licence a expiré.", "Renouvelez la licence et vérifiez maintenant. Cet appareil reste activé."),
        "license_expired.expiredAt": .init(
            "La licence a expiré le {expiredAt}.",
            "Renouvelez la licence. Ses appareils restent activés et fonctionneront de nouveau aussitôt."),
        "license_expired.mode.fallback": .init(
            "La licence a expiré. L’app fonctionne de façon limitée.",
            "Pour tout débloquer de nouveau, renouvelez la licence et vérifiez maintenant."),
        "license_in_grace": .init(
            "La licence a expiré le {expiredAt} ; son délai de grâce court jusqu’au {graceEndsAt}.",
            "Renouvelez la licence avant la fin de ce délai."),
        "license_stays_suspended": .init(
            "La licence reste suspendue jusqu’à ce qu’elle soit rétablie. Sa durée continue de s’écouler.",
            "Demandez à l’éditeur de la rétablir."),
        "activation_released": .init(
            "La licence n’est pas activée sur cet appareil.",
            "Activez de nouveau la clé de licence sur cet appareil."),
        "activation_released_by_holder": .init(
            "Cet appareil a été dissocié sur la page de la licence ou depuis un autre appareil.",
            "Activez de nouveau la clé de licence ici, ou demandez à l’éditeur de rétablir l’appareil."),
        "activation_released_by_holder.releasedAt": .init(
            "Cet appareil a été dissocié le {releasedAt} sur la page de la licence ou depuis un autre appareil.",
            "Activez de nouveau la clé de licence ici, ou demandez à l’éditeur de rétablir l’appareil."),
        "activation_other_device": .init(
            "Cette activation appartient à un autre appareil.", "Activez la clé de licence sur cet appareil."),
        "activation_limit_reached": .init(
            "Toutes les activations de cette licence sont utilisées ({activations} sur {activationLimit}).",
            "Désactivez la licence sur un appareil que vous n’utilisez plus, ou demandez à l’éditeur d’augmenter la limite."
        ),
        "activation_limit_reached.deviceChanges": .init(
            "Cette licence a récemment été utilisée sur trop d’appareils différents ({devices}).",
            "Utilisez l’un de ces appareils, attendez ou contactez l’éditeur."),
        "self_release_off": .init(
            "Vous ne pouvez pas dissocier un appareil de cette licence depuis un autre appareil.",
            "Désactivez la licence sur l’appareil lui-même, ou demandez à l’éditeur de le faire."),
        "self_release_cooldown": .init(
            "Un appareil a été dissocié récemment ; il est trop tôt pour en dissocier un autre.",
            "Réessayez plus tard, ou contactez l’éditeur."),
        "self_release_used_up": .init(
            "Vous avez dissocié tous les appareils autorisés cette année ({perYear}).",
            "Réessayez plus tard, ou contactez l’éditeur."),
        "error.not_stored": .init(
            "La licence n’a pas pu être enregistrée sur cet appareil.",
            "Libérez de l’espace de stockage, autorisez l’app à écrire ses fichiers, puis réessayez."),
        "error.not_read": .init(
            "La licence de cet appareil ne peut pas être lue.",
            "Autorisez l’app à lire ses fichiers, puis relancez-la."),
        "error.misconfigured": .init(
            "Les réglages de licence de cette app ne sont pas valables.",
            "Mettez l’app à jour, ou contactez l’éditeur."),
        "error.no_device": .init(
            "Cet appareil ne peut pas être identifié.",
            "Demandez à l’éditeur de l’app comment identifier cet appareil."),
    ]

    static let views: [String: String] = [
        "notDetermined": "Licence", "trial.one": "Essai : 1 jour restant", "trial": "Essai : {days} jours restants",
        "licensed": "Licence active", "limited": "Licence expirée", "freeTier": "Version gratuite",
        "trialEnded": "Essai terminé", "noLicense": "Pas de licence", "expired": "Licence expirée",
        "clockSetBack": "Horloge reculée", "invalid": "Licence non valable", "startTrial": "Commencer l’essai",
        "check": "Vérifier maintenant", "deactivate": "Désactiver sur cet appareil", "key": "Clé de licence",
        "activate": "Activer",
    ]
}
