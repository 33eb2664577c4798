#if canImport(AVFoundation)
    public import AVFoundation
    import Dispatch
    public import TenureFoundation

    /// FairPlay persistable keys, requested from the vendor's key server.
    ///
    /// ```swift
    /// configuration.keySystem = FairPlayKeys(certificate: certificate) { content, request in
    ///     try await keyServer.key(for: content, request)   // with a token from the vendor
    /// } deletion: { content, proof in
    ///     try await keyServer.deleted(content, proof)
    /// }
    /// ```
    public final class FairPlayKeys: PersistableKeySystem {
        /// Sends a server playback context (SPC) to the vendor's key server and returns its response, the content key
        /// context (CKC).
        public typealias Exchange = @Sendable (_ content: String, _ request: Data) async throws -> Data

        fileprivate let certificate: Data
        fileprivate let exchange: Exchange
        private let deletion: @Sendable (_ content: String, _ proof: Data) async throws -> Void

        /// Creates a key system from the vendor's FairPlay application certificate.
        ///
        /// - Parameters:
        ///   - certificate: The FairPlay application certificate.
        ///   - exchange: Sends a key request to the key server.
        ///   - deletion: Sends the proof of a deleted key to the key server. Its response isn't used.
        public init(
            certificate: Data, exchange: @escaping Exchange,
            deletion: @escaping @Sendable (_ content: String, _ proof: Data) async throws -> Void
        ) {
            self.certificate = certificate
            self.exchange = exchange
            self.deletion = deletion
        }

        /// Requests a new persistable key from the vendor's key server, in a separate key session.
        public func newKey(_ identifier: String, for content: String) async throws -> Data {
            // A session that has already loaded the key doesn't request it again, so each request uses a new session.
            let session = AVContentKeySession(keySystem: .fairPlayStreaming)
            let asking = NewKey(identifier, content, self)
            session.setDelegate(asking, queue: DispatchQueue(label: "tenure.content.key"))
            defer { session.setDelegate(nil, queue: nil) }
            return try await asking.key(in: session)
        }

        /// Invalidates a stored key and returns FairPlay's proof of deletion; throws if FairPlay fails.
        public func delete(_ key: Data, of content: String) async throws -> Data {
            let session = AVContentKeySession(keySystem: .fairPlayStreaming)
            return try await withCheckedThrowingContinuation { answer in
                session.invalidatePersistableContentKey(key, options: nil) { proof, error in
                    answer.resume(with: proof.map { .success($0) } ?? .failure(error ?? FairPlayError.noAnswer))
                }
            }
        }

        /// Sends the proof of deletion to the vendor's key server.
        public func tell(deletion proof: Data, of content: String) async throws { try await deletion(content, proof) }
    }

    /// An error of FairPlay's key sessions that the system reports without a cause.
    public enum FairPlayError: Error, Sendable {
        /// FairPlay returned neither a key nor an error.
        case noAnswer
    }

    /// A request for a single persistable key, in a key session of its own.
    private final class NewKey: NSObject, AVContentKeySessionDelegate, @unchecked Sendable {
        // The class is Sendable because `lock` guards `waiting`.
        private let lock = NSLock()
        private var waiting: CheckedContinuation<Data, any Error>?
        private let identifier: String
        private let content: String
        private let keys: FairPlayKeys

        init(_ identifier: String, _ content: String, _ keys: FairPlayKeys) {
            self.identifier = identifier
            self.content = content
            self.keys = keys
        }

        func key(in session: AVContentKeySession) async throws -> Data {
            try await withCheckedThrowingContinuation { continuation in
                lock.withLock { waiting = continuation }
                session.processContentKeyRequest(withIdentifier: identifier, initializationData: nil, options: nil)
            }
        }

        func contentKeySession(_ session: AVContentKeySession, didProvide keyRequest: AVContentKeyRequest) {
            do {
                try keyRequest.respondByRequestingPersistableContentKeyRequestAndReturnError()
            } catch {
                end(.failure(error))
            }
        }

        func contentKeySession(
            _ session: AVContentKeySession, didProvide keyRequest: AVPersistableContentKeyRequest
        ) {
            let asked = AskedKey(keyRequest)
            let name = Data(identifier.utf8)
            keyRequest.makeStreamingContentKeyRequestData(
                forApp: keys.certificate, contentIdentifier: name, options: nil
            ) { request, error in
                guard let request else { return self.end(.failure(error ?? FairPlayError.noAnswer)) }
                Task {
                    do {
                        let answer = try await self.keys.exchange(self.content, request)
                        self.end(.success(try asked.key(from: answer)))
                    } catch {
                        self.end(.failure(error))
                    }
                }
            }
        }

        func contentKeySession(
            _ session: AVContentKeySession, contentKeyRequest keyRequest: AVContentKeyRequest,
            didFailWithError error: any Error
        ) {
            end(.failure(error))
        }

        /// Resumes the caller that waits for the key; later results are ignored.
        private func end(_ result: Result<Data, any Error>) {
            let waiting = lock.withLock {
                defer { self.waiting = nil }
                return self.waiting
            }
            waiting?.resume(with: result)
        }
    }

    /// A FairPlay key request that can be completed from any thread.
    private struct AskedKey: @unchecked Sendable {
        // Sendable because FairPlay key requests may be answered from any thread, and this request is answered once.
        private let request: AVPersistableContentKeyRequest

        init(_ request: AVPersistableContentKeyRequest) { self.request = request }

        func key(from answer: Data) throws -> Data {
            try request.persistableContentKey(fromKeyVendorResponse: answer, options: nil)
        }

        func answer(with key: Data?) {
            guard let key else { return request.processContentKeyResponseError(FairPlayError.noAnswer) }
            request.processContentKeyResponse(AVContentKeyResponse(fairPlayStreamingKeyResponseData: key))
        }
    }

    /// Answers a player's key session with the keys that a library stores.
    ///
    /// It also stores the updated key that FairPlay creates at the first playback. Keep a reference to this object for
    /// as long as the session uses it.
    ///
    /// ```swift
    /// let session = AVContentKeySession(keySystem: .fairPlayStreaming)
    /// session.setDelegate(FairPlayDelegate(library, content: "lesson-1"), queue: queue)
    /// session.addContentKeyRecipient(asset)
    /// ```
    public final class FairPlayDelegate: NSObject, AVContentKeySessionDelegate, Sendable {
        private let library: ContentLibrary
        private let content: String

        /// Creates a delegate that answers with the stored key of one content item.
        public init(_ library: ContentLibrary, content: String) {
            self.library = library
            self.content = content
        }

        /// Asks FairPlay for a persistable key request.
        public func contentKeySession(_ session: AVContentKeySession, didProvide keyRequest: AVContentKeyRequest) {
            // Only a persistable key request accepts a stored key.
            do {
                try keyRequest.respondByRequestingPersistableContentKeyRequestAndReturnError()
            } catch {
                keyRequest.processContentKeyResponseError(error)
            }
        }

        /// Responds to the session's request with the stored key, or with an error if there isn't one.
        public func contentKeySession(
            _ session: AVContentKeySession, didProvide keyRequest: AVPersistableContentKeyRequest
        ) {
            let asked = AskedKey(keyRequest)
            Task { [library, content] in asked.answer(with: await library.key(content)) }
        }

        /// Stores the updated key that FairPlay created.
        public func contentKeySession(
            _ session: AVContentKeySession, didUpdatePersistableContentKey persistableContentKey: Data,
            forContentKeyIdentifier keyIdentifier: Any
        ) {
            guard let identifier = keyIdentifier as? String else { return }
            Task { [library] in try? await library.keyChanged(identifier, to: persistableContentKey) }
        }
    }
#endif
