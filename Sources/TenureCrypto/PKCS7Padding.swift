#if !canImport(CryptoKit)
    /// The padding of RFC 5652, section 6.3, taken off without telling by its time whether it was right.
    enum PKCS7Padding {
        /// Takes the padding off decrypted blocks, at least one; when it is wrong, everything is the message.
        ///
        /// The whole last block is read whatever it holds.
        static func removed(from blocks: [UInt8]) -> (message: [UInt8], isPadded: Bool) {
            let last = UInt(blocks[blocks.count - 1])
            var wrong: UInt = 0
            for place in 0..<AES128CBC.blockLength {
                let isPadding = ConstantTimeBits.isLess(UInt(place), last)
                wrong |= isPadding & (UInt(blocks[blocks.count - 1 - place]) ^ last)
            }
            let isCount =
                ConstantTimeBits.isLess(0, last) & ConstantTimeBits.isLess(last, UInt(AES128CBC.blockLength) + 1)
            let isPadded = isCount & ConstantTimeBits.isLess(wrong, 1)
            let kept = blocks.count - Int(last & isPadded)
            // All blocks are copied either way: a slice of everything would be handed on without a copy.
            let message = unsafe [UInt8](unsafeUninitializedCapacity: blocks.count) { target, count in
                _ = unsafe target.initialize(fromContentsOf: blocks)
                count = kept
            }
            return (message, isPadded != 0)
        }
    }
#endif
