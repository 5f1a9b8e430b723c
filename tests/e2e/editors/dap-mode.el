;; SPDX-License-Identifier: Apache-2.0
;; Launch, breakpoint, stop, variables, continue, end: with dap-mode.

(load (expand-file-name "session.el" (file-name-directory load-file-name)) nil t)
(session-packages)
(setq session-buffers '((adapter . "*Java: this file stderr*") (output . "*Java: this file out*")))
(load (getenv "LINES") nil t)

(session-open)
(dap-breakpoint-add)
(dap-debug (copy-tree (cdr (assoc "Java: this file" dap-debug-template-configurations))))

(defun session-debug () (dap--cur-session))
(session-wait "a stop" (lambda () (and (session-debug) (dap--debug-session-active-frame (session-debug)))))
(defvar session-frame (dap--debug-session-active-frame (session-debug)))
(session-saw 'line (gethash "line" session-frame))
(session-saw 'method (gethash "name" session-frame))
(defvar session-scope
  (elt (gethash "scopes" (dap-request (session-debug) "scopes" :frameId (gethash "id" session-frame))) 0))
(session-saw 'variables
             (mapcar (lambda (each) (cons (gethash "name" each) (gethash "value" each)))
                     (gethash "variables" (dap-request (session-debug) "variables" :variablesReference
                                                       (gethash "variablesReference" session-scope)))))
(session-saw 'evaluated
             (gethash "result" (dap-request (session-debug) "evaluate" :expression "1 + 2"
                                            :frameId (gethash "id" session-frame))))
(defvar session-process (dap--debug-session-proc (session-debug)))
(dap-continue (session-debug) (dap--debug-session-thread-id (session-debug)))
(session-wait "the end" (lambda () (not (process-live-p session-process))))
(session-end)
