#if canImport(Darwin)
    import CryptoKit
    import TenureFoundation
    import Security

    /// The SubjectPublicKeyInfo of a key, which Security returns without its header.
    enum SubjectPublicKey {
        /// Returns the base64 of the SHA-256 of a key's SubjectPublicKeyInfo; `nil` for an unknown kind of key.
        static func pin(of key: SecKey) -> String? {
            guard let facts = SecKeyCopyAttributes(key) as? [CFString: Any],
                let kind = facts[kSecAttrKeyType] as? String, let size = facts[kSecAttrKeySizeInBits] as? Int,
                let header = header(kind, size), let raw = SecKeyCopyExternalRepresentation(key, nil) as Data?
            else { return nil }
            return Data(CryptoKit.SHA256.hash(data: Data(header) + raw)).base64EncodedString()
        }

        /// The DER header before the key's own bytes (RFC 3279, RFC 5480).
        private static func header(_ kind: String, _ size: Int) -> [UInt8]? {
            let rsa: [UInt8] = [
                0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
            ]
            switch (kind, size) {
            case (String(kSecAttrKeyTypeRSA), 2048):
                return [0x30, 0x82, 0x01, 0x22] + rsa + [0x03, 0x82, 0x01, 0x0F, 0x00]
            case (String(kSecAttrKeyTypeRSA), 3072):
                return [0x30, 0x82, 0x01, 0xA2] + rsa + [0x03, 0x82, 0x01, 0x8F, 0x00]
            case (String(kSecAttrKeyTypeRSA), 4096):
                return [0x30, 0x82, 0x02, 0x22] + rsa + [0x03, 0x82, 0x02, 0x0F, 0x00]
            case (String(kSecAttrKeyTypeECSECPrimeRandom), 256):
                return [
                    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
                    0x86,
                    0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
                ]
            case (String(kSecAttrKeyTypeECSECPrimeRandom), 384):
                return [
                    0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x05, 0x2B,
                    0x81,
                    0x04, 0x00, 0x22, 0x03, 0x62, 0x00,
                ]
            default: return nil
            }
        }
    }
#endif
