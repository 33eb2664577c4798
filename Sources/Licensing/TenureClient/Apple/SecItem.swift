#if canImport(Security)
    import TenureFoundation
    import Security
    package import TenureCore
    package import TenureVault

    /// A password item in the system's Keychain that never leaves this device.
    ///
    /// It is in no backup and isn't synchronized to other devices.
    package struct SecItem: KeychainItem {
        private let service: String
        private let accessGroup: String?

        /// Creates access to a product's item; with an access group, the vendor's other apps can read the item too.
        package init(product: ProductRef, accessGroup: String? = nil) {
            service = "tenure/\(product.tenant.text)/\(product.product.text)"
            self.accessGroup = accessGroup
        }

        package func read() throws(VaultError) -> KeptItem? {
            var query = item
            query[kSecMatchLimit] = kSecMatchLimitOne
            query[kSecReturnData] = true
            query[kSecReturnAttributes] = true
            var found: CFTypeRef?
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess else { throw VaultError(.unreadable, status) }
            guard let facts = found as? [CFString: Any], let record = facts[kSecValueData] as? Data,
                let mark = facts[kSecAttrGeneric] as? Data
            else {
                throw VaultError(
                    .corrupted, "The record in the Keychain wasn't written by this app. " + VaultError.activateAgain)
            }
            return KeptItem(record: Array(record), mark: Array(mark))
        }

        package func add(_ stored: KeptItem) throws(VaultError) -> Bool {
            var added = item.merging(values(of: stored)) { $1 }
            // Readable in the background too, once the device has been unlocked after a restart.
            added[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            added[kSecAttrLabel] = "License"
            let status = SecItemAdd(added as CFDictionary, nil)
            if status == errSecDuplicateItem { return false }
            guard status == errSecSuccess else { throw VaultError(.unwritable, status) }
            return true
        }

        package func replace(_ mark: [UInt8]?, with stored: KeptItem) throws(VaultError) -> Bool {
            var query = item
            if let mark { query[kSecAttrGeneric] = Data(mark) }
            let status = SecItemUpdate(query as CFDictionary, values(of: stored) as CFDictionary)
            if status == errSecItemNotFound { return false }
            guard status == errSecSuccess else { throw VaultError(.unwritable, status) }
            return true
        }

        private var item: [CFString: Any] {
            var item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: "license",
                kSecAttrSynchronizable: false,
                // Use the data protection keychain on the Mac as well. The file-based one may ask the user for a
                // password.
                kSecUseDataProtectionKeychain: true,
            ]
            if let accessGroup { item[kSecAttrAccessGroup] = accessGroup }
            return item
        }

        private func values(of stored: KeptItem) -> [CFString: Any] {
            [kSecValueData: Data(stored.record), kSecAttrGeneric: Data(stored.mark)]
        }
    }

    extension VaultError {
        /// Creates an error from the Keychain's status code.
        fileprivate init(_ code: Code, _ status: OSStatus) {
            let detail = SecCopyErrorMessageString(status, nil) as String?
            let reason = "The Keychain returned error \(status)" + (detail.map { " (\($0))" } ?? "") + ". "
            switch status {
            case errSecInteractionNotAllowed:
                self.init(code, reason + "Unlock the device once after its restart, then try again.")
            case errSecMissingEntitlement:
                self.init(code, reason + "Sign the app with a Keychain access group, or keep the record in a file.")
            default:
                self.init(code, reason + "Check the Keychain and try again.")
            }
        }
    }
#endif
